// What happened, newest first, and the correction of any line.
import { t } from "./stream.js";
import { make, place, put } from "./dom.js";
import { meaning } from "./words.js";
import { say, send } from "./actions.js";
import { call, pictureAt } from "./token.js";

let current = () => null;
let shown = -1;
let asking = false;
let amended = null;

function openAmend(entry) {
  amended = entry.line;
  place("amend").hidden = false;
  put(place("amend-label"), t("setup.amend_to", { n: entry.line }));
  place("amend-card").value = entry.card || "";
  place("amend-named").value = entry.colour || "";
  showPicture(entry);
  place("amend-card").focus();
  place("amend-card").select();
}

let picture = null;
// What the camera saw then, as long as it is in memory.
async function showPicture(entry) {
  hidePicture();
  picture = entry.picture ? await pictureAt(`/api/pictures/${entry.version}.jpg`) : null;
  if (!picture || amended !== entry.line) return hidePicture();
  place("amend-picture").src = picture;
  place("amend-picture").hidden = false;
}

function hidePicture() {
  place("amend-picture").hidden = true;
  if (picture) URL.revokeObjectURL(picture);
  picture = null;
}

function closeAmend() {
  place("amend").hidden = true;
  place("amend-card").value = "";
  hidePicture();
  amended = null;
}

async function saveAmend(event) {
  event.preventDefault();
  const to = place("amend-card").value.trim().toUpperCase();
  const named = place("amend-named").value;
  const action = { action: "amend", line: amended, card: to, ...(named ? { colour: named } : {}) };
  if (await send(action, t("setup.amend_line", { n: amended }))) closeAmend();
}

function row(entry) {
  const told = make("div", { className: "told" }, make("span", { textContent: meaning(entry, current()) }), make("code", { textContent: entry.text }));
  if (entry.amendable) {
    const button = make("button", { type: "button", className: "small", textContent: t("setup.amend") });
    button.setAttribute("aria-label", t("setup.amend_line", { n: entry.line }));
    button.addEventListener("click", () => openAmend(entry));
    told.append(button);
  }
  return make("tr", {}, make("td", { textContent: entry.line }), make("td", {}, told));
}

async function load(version) {
  asking = true;
  try {
    const answer = await call("/api/history?last=40");
    if (answer.ok) {
      const history = await answer.json();
      place("history").replaceChildren(...history.lines.reverse().map(row));
      shown = Math.max(version, history.version);
    }
  } catch {
    say(t("not_connected"));
  }
  asking = false;
  if (current() && current().version > shown) load(current().version);
}

// Brings the list up to date; one request at a time, the last version wins.
export function showHistory(state) {
  if (state.version === shown || asking) return;
  shown = state.version;
  load(state.version);
}

export function startHistory(state) {
  current = state;
  place("amend").addEventListener("submit", saveAmend);
  place("amend-cancel").addEventListener("click", closeAmend);
}
