// The wire: texts of the page's language, the state as it streams in, actions that go out. Knows no page.

import { listen } from "./listen.js";
import { make } from "./dom.js";
import { call } from "./token.js";

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

// Texts and the language of a page come with it: where the table speaks another one by now, the page is fetched anew.
const isOtherLanguage = (lang) => lang !== document.documentElement.lang && lang in texts.language_names;

// Follows the table: `onState(state)` at first and after everything that happens, `onLink(connected, status)` when that
// changes; `status` is 401 or 403 when the page is not let in.
export function follow(onState, onLink) {
  let version = -1;
  let linked = "";
  const link = (connected, status) => {
    if (linked !== `${connected} ${status}`) onLink(connected, status);
    linked = `${connected} ${status}`;
  };
  const take = ({ data }) => {
    const told = JSON.parse(data);
    const state = told.state || told;
    if (isOtherLanguage(state.lang)) return location.reload();
    version = state.version;
    onState(state);
  };
  listen(() => (version < 0 ? "/api/events" : `/api/events?after=${version}`), take, link);
}

// What a page says about its line to the referee: nothing while all is well.
export function linkText(connected, status, known) {
  if (connected) return "";
  if (status === 401 || status === 403) return t("not_let_in");
  return t(known ? "not_connected" : "connecting");
}

// Puts new captions into a live region one by one, so that a screen reader says each once. Of those from before the page
// was opened `before` are shown, unsaid. After a restart of the referee they count from the beginning again.
export function captionLog(region, before = 0) {
  let heard = null;
  const add = (caption) => region.append(make("p", { textContent: caption.text, lang: caption.lang || "" }));
  return (state) => {
    const last = state.captions.reduce((most, caption) => Math.max(most, caption.number), 0);
    if (heard === null && before) quietly(region, () => state.captions.slice(-before).forEach(add));
    const from = heard === null ? last : last < heard ? 0 : heard;
    state.captions.filter((caption) => caption.number > from).forEach(add);
    heard = last;
    while (region.childElementCount > 12) region.firstElementChild.remove();
    region.scrollTop = region.scrollHeight;
  };
}

// Changes a live region without its being said.
function quietly(region, change) {
  const live = region.getAttribute("aria-live");
  region.setAttribute("aria-live", "off");
  change();
  setTimeout(() => region.getAttribute("aria-live") === "off" && region.setAttribute("aria-live", live), 200);
}

// A name for one attempt, so that its repeated delivery applies once; also where crypto.randomUUID is not offered.
const attempt = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Sends `content` as JSON; when the line breaks it is sent once more. Resolves to {status, body}, status 0 without an answer.
export async function post(path, content, headers = {}) {
  const request = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(content) };
  try {
    const answer = await call(path, request).catch(() => call(path, request));
    return { status: answer.status, body: await answer.json().catch(() => ({})) };
  } catch {
    return { status: 0, body: {} };
  }
}

// Sends one action made at `version` of the table, or a `command` of one word, such as yes. Resolves to {ok, said,
// stale, reason}; `said` is what the table answered in words, if it did.
export async function act(action, version) {
  const path = action.command ? "/api/commands" : "/api/actions";
  const { status, body } = await post(path, { ...action, expected_version: version }, { "Idempotency-Key": attempt() });
  const moved = status === 409 && body.state && body.state.version !== version;
  return { ok: status === 200, said: body.answer, stale: moved, reason: status ? reasonOf(body) : t("not_connected") };
}

// Why a request was refused: a sentence, or what was wrong with a field of it.
export function reasonOf(body) {
  const detail = body.detail;
  return Array.isArray(detail) ? detail.map((part) => `${part.loc[part.loc.length - 1]}: ${part.msg}`).join("; ") : detail || "";
}
