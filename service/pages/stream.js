// The wire: texts of the page's language, the state as it streams in, actions that go out. Knows no page.

export const texts = JSON.parse(document.getElementById("texts").textContent);

// The text under the dotted `key`, its {gaps} filled.
export function t(key, fields = {}) {
  const found = key.split(".").reduce((table, part) => (table == null ? table : table[part]), texts);
  if (typeof found !== "string") return key;
  return found.replace(/\{(\w+)\}/g, (gap, name) => (name in fields ? String(fields[name]) : gap));
}

export const counted = (key, n) => t(`${key}_${n === 1 ? "one" : "other"}`, { n });
export const cardName = (card) => texts.cards[card] || texts.cards["??"];
export const colourName = (colour) => t(`colour.${colour || "none"}`);

const theme = new URLSearchParams(location.search).get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

// Follows the table: `onState(state)` at first and after everything that happens, `onLink(connected)` when that changes.
// A browser's EventSource comes back by itself after a lost line, not after a refusal: then a new one is made.
export function follow(onState, onLink) {
  let version = -1;
  let linked = null;
  const link = (connected) => {
    if (connected !== linked) onLink(connected);
    linked = connected;
  };
  const take = (message) => {
    const data = JSON.parse(message.data);
    const state = data.state || data;
    version = state.version;
    link(true);
    onState(state);
  };
  const open = () => {
    const source = new EventSource(version < 0 ? "/api/events" : `/api/events?after=${version}`);
    for (const kind of ["state", "event", "notice"]) source.addEventListener(kind, take);
    source.onopen = () => link(true);
    source.onerror = () => {
      link(false);
      if (source.readyState === EventSource.CLOSED) {
        source.close();
        setTimeout(open, 1000);
      }
    };
  };
  open();
}

// A name for one attempt, so that its repeated delivery applies once; also where crypto.randomUUID is not offered.
const attempt = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Sends one action made at `version` of the table. Resolves to {ok, stale, reason, state}.
export async function act(action, version) {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": attempt() },
    body: JSON.stringify({ ...action, expected_version: version }),
  };
  let answer;
  try {
    answer = await fetch("/api/actions", request).catch(() => fetch("/api/actions", request));
  } catch {
    return { ok: false, stale: false, reason: t("not_connected") };
  }
  const body = await answer.json().catch(() => ({}));
  return { ok: answer.ok, stale: answer.status === 409, reason: body.detail || "", state: body.state };
}
