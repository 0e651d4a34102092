// Server-sent events read with fetch: the token goes as a header, a line that went silent is noticed, and a listener that
// was away says which version it saw last. Knows no page.
import { call } from "./token.js";

const SILENCE = 40000; // the server says something every 15 s
const AGAIN = 1000;
const REFUSED_AGAIN = 10000; // who is not let in does not knock all the time

// The messages of one answer as {kind, data}, until it ends; `heard` is called for every sign of life.
async function* messages(body, heard) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const blocks = (rest + decoder.decode(value, { stream: true })).replace(/\r\n/g, "\n").split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.split("\n").filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)).join("\n");
      if (field("data")) yield { kind: field("event"), data: field("data") };
    }
  }
}

// Listens at `address()` for ever: `take(message)` for each one, `onLink(connected, status)` at every beginning and end;
// `status` is why a server refused, 0 when none was there.
export async function listen(address, take, onLink) {
  for (;;) {
    const line = new AbortController();
    let timer = 0;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => line.abort(), SILENCE);
    };
    const away = () => line.abort();
    addEventListener("offline", away);
    heard();
    let status = 0;
    try {
      const answer = await call(address(), { signal: line.signal, headers: { Accept: "text/event-stream" }, cache: "no-store" });
      status = answer.ok ? 0 : answer.status;
      if (answer.ok) {
        onLink(true, 0);
        for await (const message of messages(answer.body, heard)) take(message);
      }
    } catch {
      // the line is gone, which the next lines deal with
    }
    clearTimeout(timer);
    removeEventListener("offline", away);
    line.abort();
    onLink(false, status);
    await new Promise((done) => setTimeout(done, status ? REFUSED_AGAIN : AGAIN));
  }
}
