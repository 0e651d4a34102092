// What people tell the table during a round: buttons, their keys, and a card played by hand.
import { act, post, t } from "./stream.js";
import { choices, make, nameOf, place, put, seats } from "./dom.js";
import { houseRule } from "./words.js";

let current = () => null;

// The one line that answers the last thing done here; a screen reader says it.
export function say(text) {
  put(place("said"), text);
}

let sent = 0;
// For the answer to something done here: says it, unless something else was done since.
function answering() {
  sent += 1;
  const mine = sent;
  return (text) => mine === sent && say(text);
}

// Sends `action`, says how it went; resolves to whether it was done.
export async function send(action, label) {
  const state = current();
  if (!state) return false;
  const tell = answering();
  const answer = await act(action, state.version);
  tell(answer.ok ? answer.said || t("setup.done", { action: label }) : answer.stale ? t("setup.late") : t("setup.refused", { reason: answer.reason }));
  return answer.ok;
}

const seat = () => Number(place("seat").value);
const whole = (id) => Number(place(id).value);

// One row per button: the action that it stands for.
const ACTIONS = {
  draw: () => ({ action: "draw", seat: seat() }),
  penalty: () => ({ action: "draw", seat: seat(), cards: whole("penalty") }),
  pass: () => ({ action: "pass", seat: seat() }),
  uno: () => ({ action: "uno", seat: unoSeat() }),
  colour: (button) => ({ action: "colour", seat: asked("colour"), colour: button.dataset.colour }),
  challenge: () => ({ action: "challenge", seat: asked("challenge") }),
  guilty: () => ({ action: "challenge", seat: asked("verdict", "challenge"), verdict: "guilty" }),
  innocent: () => ({ action: "challenge", seat: asked("verdict", "challenge"), verdict: "innocent" }),
  catch: () => ({ action: "catch", seat: whole("catcher"), target: current().catchable || seat() }),
  swap: () => ({ action: "swap", seat: asked("swap"), partner: whole("partner") }),
  discard: () => ({ action: "discard", seat: asked("house_rule"), cards: place("discarded").value.trim().toUpperCase().split(/[\s,]+/).filter(Boolean) }),
  reshuffle: () => ({ action: "reshuffle" }),
  leave: () => ({ action: "leave", seat: seat() }),
  void: () => ({ action: "void" }),
  undo: () => ({ action: "undo" }),
};

// Who answers: the seat that is asked, when that is the question, else the chosen one.
function asked(...kinds) {
  const pending = current().pending;
  return pending && kinds.includes(pending.kind) && pending.seat ? pending.seat : seat();
}

// Who calls uno: the seat that can be caught, else the chosen one.
function unoSeat() {
  return current().catchable || seat();
}

let armed = null;
// Some buttons ask to be pressed twice, in words on the button itself.
function sure(button) {
  if (!button.dataset.sure || armed === button) return true;
  disarm();
  armed = button;
  button.dataset.label = button.textContent;
  button.textContent = t(`setup.${button.dataset.sure}`, { name: nameOf(current(), seat()) });
  return false;
}

function disarm() {
  if (armed) armed.textContent = armed.dataset.label;
  armed = null;
}

function press(button) {
  if (!current() || !current().players.length || !sure(button)) return;
  const label = (button.dataset.label || button.textContent).trim();
  disarm();
  send(ACTIONS[button.dataset.do](button), label);
}

// A question to the table: the answer is spoken there and shown here.
export async function ask(query) {
  const tell = answering();
  const answer = await post("/api/ask", { query });
  tell(answer.body.answer || t("setup.refused", { reason: answer.body.detail || t("not_connected") }));
}

const cardOf = (input) => input.value.trim().toUpperCase();
const optional = (key, value) => (value ? { [key]: value } : {});

async function playByHand(event) {
  event.preventDefault();
  if (isStart(current())) return turnCard();
  const card = cardOf(place("card"));
  const action = { action: "play", seat: seat(), card, uno: place("called").checked, ...optional("colour", place("named").value), ...optional("partner", whole("with")) };
  if (await send(action, `${nameOf(current(), seat())} ${card}`)) clearCard();
}

async function turnCard() {
  if (!place("by-hand").reportValidity()) return;
  const card = cardOf(place("card"));
  const action = { action: "start", card, ...optional("colour", place("named").value), ...optional("partner", whole("with")) };
  if (await send(action, `${t("setup.turned")} ${card}`)) clearCard();
}

const isStart = (state) => state.phase === "playing" && !state.top;

// What nothing can be done with now is not offered: between two rounds, before the first card, while hands are counted.
function showPhase(state) {
  const playing = state.phase === "playing" && Boolean(state.top);
  for (const part of document.querySelectorAll(".in-play")) part.hidden = !playing;
  for (const part of document.querySelectorAll(".in-round")) part.hidden = !["playing", "counting"].includes(state.phase);
  place("idle").hidden = playing;
  place("hand").hidden = !playing && !isStart(state);
  place("play").hidden = !playing;
  place("turned").hidden = playing;
}

function clearCard() {
  place("card").value = "";
  place("named").value = "";
  place("with").value = "";
  place("called").checked = false;
}

let acted = null;
// Brings the section up to date: the seat to act is chosen anew whenever it changes, never under the host's hand otherwise.
export function showActions(state) {
  const actor = state.pending && state.pending.seat ? state.pending.seat : state.turn;
  const list = seats(state);
  choices(place("seat"), list, actor !== acted && actor ? actor : place("seat").value);
  acted = actor;
  choices(place("catcher"), list);
  choices(place("partner"), list);
  choices(place("with"), [["", ""], ...list]);
  put(place("actions-for"), actor ? t("setup.actions_for", { name: nameOf(state, actor) }) : "");
  put(place("catch"), state.catchable ? t("setup.catch_who", { name: nameOf(state, state.catchable) }) : t("setup.catch"));
  if (state.catchable && whole("catcher") === state.catchable) place("catcher").value = String((state.catchable % list.length) + 1);
  for (const button of document.querySelectorAll("[data-do]")) button.disabled = !list.length;
  showPhase(state);
  showExpected(state);
  showRules(state);
}

// Which house rule a Customizable card carries: asked only where several were agreed on.
function showRules(state) {
  const rules = (state.may || []).flat().filter((one) => one.body.action === "choose_rule");
  const key = JSON.stringify([rules.map((one) => one.body), state.custom]);
  place("rules").hidden = !rules.length;
  if (place("rules").dataset.key === key) return;
  place("rules").dataset.key = key;
  place("rule-choices").replaceChildren(...rules.map(({ id, body }) => {
    const label = houseRule(state, body.number);
    const button = make("button", { type: "button", textContent: label, "data-id": id });
    button.addEventListener("click", () => send(body, label));
    return button;
  }));
}

// What somebody may do now stands out; everything else can be told all the same, for the referee to rule on.
function showExpected(state) {
  const ids = new Set((state.may || []).flat().map((one) => one.id.replace(/^challenge-/, "")));
  const known = [...ids].map((id) => (/^colour-/.test(id) ? id : id.split("-")[0]));
  const idOf = ({ colour, do: name }) => (colour ? `colour-${colour}` : name);
  for (const button of document.querySelectorAll("[data-do]:not([data-do='undo'])")) button.classList.toggle("plain", !known.includes(idOf(button.dataset)));
}

export function startActions(state) {
  current = state;
  document.querySelectorAll("[data-do]").forEach((button) => button.addEventListener("click", () => press(button)));
  document.querySelectorAll("[data-ask]").forEach((button) => button.addEventListener("click", () => ask(button.dataset.ask)));
  place("by-hand").addEventListener("submit", playByHand);
  place("turned").addEventListener("click", turnCard);
}
