// A player's page, on a telephone: what this seat may do now as large buttons, what is said as text, questions answered here.
import { act, captionLog, cardName, colourName, follow, linkText, post, t } from "./stream.js";
import { shapeIcon, showCard } from "./cards.js";
import { iconAndText, make, nameOf, place, put } from "./dom.js";
import { actor, cardsOf, directionOf, headline, houseRule } from "./words.js";
import { startHand, tableMoved } from "./hand.js";
import { me } from "./me.js";
import { keepFor, kept } from "./token.js";

const ME = Number(location.pathname.split("/")[2]) || 1;
const SETTLING = 300; // ms after new buttons in which a touch is meant for the old ones

let latest = null;
const current = () => latest;
let who = null; // until the referee has said it, nothing is offered
const mayAct = () => Boolean(who) && (who.role === "host" || (who.role === "seat" && who.seat === ME));
const seatName = (seat) => (latest && latest.players.length >= seat ? nameOf(latest, seat) : t("seat.seat", { n: seat }));

const isNobodys = () => Boolean(latest) && latest.players.length > 0 && latest.players.length < ME;
const isMine = (state) => mayAct() && actor(state) === ME;

// What a thing that may be done is called here; "" for what is told in another way.
function labelOf(id, state) {
  const [action, which] = id.split("-");
  if (action === "draw") return which ? t("seat.draw_many", { n: which }) : t("seat.draw");
  if (action === "pass") return t(state.pending && state.pending.kind === "challenge" ? "seat.no_challenge" : "setup.pass");
  if (action === "colour") return colourName(which);
  if (action === "catch") return t("setup.catch_who", { name: nameOf(state, Number(which)) });
  if (action === "swap") return t("seat.swap", { name: nameOf(state, Number(which)) });
  if (action === "choose_rule") return houseRule(state, Number(which));
  if (action === "challenge") return which ? t(which === "guilty" ? "setup.guilty" : "setup.innocent") : t("setup.challenge");
  return { yes: t("seat.yes"), no: t("seat.no"), uno: t("setup.uno"), deal: t("seat.deal"), undo: t("seat.undo") }[action] || "";
}

// The buttons in the order of their weight: an answer first, taking back last. The verdict on a challenge has buttons once
// a challenge was made, and then comes before the next move; who only wants to challenge is not asked for it.
function offered(state) {
  if (!mayAct()) return [];
  const order = ["yes", "no", "colour", "swap", "choose_rule", "challenge", "deal", "catch", "uno", "draw", "pass", "undo"];
  const rank = (one) => order.indexOf(one.id.split("-")[0]);
  const asksVerdict = state.pending && state.pending.kind === "verdict";
  return [...doubted(state), ...((state.may || [])[ME - 1] || [])]
    .filter((one) => labelOf(one.id, state) && !(asksVerdict ? /^(draw|pass)$/ : /^challenge-/).test(one.id))
    .sort((one, other) => rank(one) - rank(other));
}

// The camera is not sure of a card that this seat laid: yes or no.
function doubted({ doubt }) {
  if (!doubt || doubt.seat !== ME || doubt.kind === "which") return [];
  return ["yes", "no"].map((command) => ({ id: command, body: { command, seat: ME } }));
}

function actionButton(one, state) {
  const colour = one.id.startsWith("colour-") ? one.id.slice(-1) : "";
  const button = make("button", { type: "button", className: colour ? `colour-${colour}` : one.id.split("-")[0], "data-id": one.id });
  iconAndText(button, colour ? shapeIcon(colour) : "", labelOf(one.id, state));
  button.addEventListener("click", () => perform(one.body, labelOf(one.id, latest), latest.version));
  return button;
}

let sent = 0;
// For the answer to something done here: shows it, unless something else was done since.
function answering() {
  sent += 1;
  const mine = sent;
  return (text) => mine === sent && put(place("answer"), text);
}

async function perform(body, label, version) {
  const tell = answering();
  tell(t("seat.sending"));
  const answer = await act(body, version);
  tell(answer.ok ? answer.said || t("setup.done", { action: label }) : answer.stale ? t("setup.late") : t("setup.refused", { reason: answer.reason }));
}

// New buttons only where something else may be done: focus stays, and if its button is gone it goes to the heading.
function showActions(state) {
  const list = offered(state);
  const key = JSON.stringify(list.map((one) => [one.id, labelOf(one.id, state)]));
  const area = place("do");
  place("nothing").hidden = list.length > 0;
  put(place("nothing"), t(((state.may || [])[ME - 1] || []).some((one) => one.id === "hand") ? "seat.count_about" : "seat.nothing"));
  if (area.dataset.key === key) return;
  area.dataset.key = key;
  const focused = area.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  area.replaceChildren(...list.map((one) => actionButton(one, state)));
  area.classList.add("settling");
  setTimeout(() => area.classList.remove("settling"), SETTLING);
  if (focused) (area.querySelector(`[data-id="${focused}"]`) || place("do-title")).focus();
}

let told = "";
// Said once when it becomes this seat's turn or it is asked: what it may do, in one sentence.
function announce(state) {
  if (!who) return;
  const mine = isMine(state);
  const names = offered(state).filter((one) => one.id !== "undo").map((one) => labelOf(one.id, state));
  const text = mine ? `${state.question || t("seat.your_turn")} ${names.length ? t("seat.may_list", { names: names.join(t("between")) }) : ""}` : "";
  const key = `${state.round} ${mine} ${state.question} ${state.version}`;
  if (!mine || key !== told) put(place("yours"), text);
  told = key;
}

function showTable(state) {
  const known = state.players.length >= ME;
  put(place("me"), seatName(ME));
  document.title = known ? `${nameOf(state, ME)}: ${t("seat.title")}` : t("seat.title");
  put(place("held"), known ? cardsOf(state, ME) : "");
  const [kicker, big] = headline(state);
  const mine = isMine(state) && !state.match_winner;
  document.body.classList.toggle("mine", mine);
  put(place("turn"), mine ? t("seat.your_turn") : state.turn ? t("seat.turn_of", { name: big }) : [kicker, big].filter(Boolean).join(": "));
  place("ask").hidden = !state.question;
  put(place("ask"), state.question);
  showCard(place("face"), state.top, state.top ? cardName(state.top) : t("display.no_top"));
  const text = state.colour ? colourName(state.colour) : state.top ? t("display.colour_open") : "";
  place("colour").className = `colour${state.colour ? ` colour-${state.colour}` : ""}`;
  iconAndText(place("colour"), state.colour ? shapeIcon(state.colour) : "", text);
  put(place("direction"), directionOf(state));
}

// A question, answered for this page alone.
async function ask(button) {
  const tell = answering();
  const { status, body } = await post("/api/ask", { query: button.dataset.ask, aloud: false });
  tell("");
  tell(body.answer || (status ? t("setup.refused", { reason: body.detail || "" }) : t("not_connected")));
}

// A screen reader need not say again what the table's voice says: that is for each to choose.
function startFollowing() {
  const box = place("follow");
  box.checked = kept.get("tableref-follow") !== "off";
  const set = () => {
    kept.set("tableref-follow", box.checked ? "on" : "off");
    place("captions").setAttribute("aria-live", box.checked ? "polite" : "off");
  };
  box.addEventListener("change", set);
  set();
}

const captions = captionLog(place("captions"), 8);
let link = [false, 0];
function showBanner() {
  const away = who && who.role === "nobody" ? "" : linkText(...link, latest);
  const lost = latest && !latest.camera.works ? latest.camera.reason || t("display.camera_lost") : "";
  place("banner").hidden = !away && !lost;
  put(place("banner"), away || lost);
  document.body.classList.toggle("away", Boolean(away && latest));
}

// Only what this page may do is offered; where it may not act, it says how one can.
function showAccess() {
  if (!who) return;
  const nobody = isNobodys();
  const other = who.role === "seat" && who.seat !== ME ? who.seat : null;
  const names = { name: seatName(ME), mine: other ? seatName(other) : "", view: t("setup.view_screens") };
  const link = place("own-seat");
  place("access").hidden = mayAct() && !nobody;
  const stranger = who.role === "nobody";
  document.body.classList.toggle("stranger", stranger);
  const how = stranger ? "not_let_in" : nobody ? "seat.nobodys" : other ? "seat.other_seat" : "seat.no_access";
  put(place("how"), place("access").hidden ? "" : t(how, { ...names, n: ME }));
  link.hidden = !other;
  link.href = `/seat/${other}`;
  put(link, other ? t("seat.own_seat", names) : "");
  place("doing").hidden = !mayAct() || nobody;
  place("shot").hidden = !mayAct();
  place("asking").hidden = nobody || !["host", "seat"].includes(who.role);
}

async function learnWho() {
  who = await me();
  if (who.role === "seat" && who.seat !== ME) keepFor(`/seat/${who.seat}`);
  if (latest) show(latest);
  showAccess();
  showBanner();
}

function show(state) {
  latest = state;
  showAccess();
  showTable(state);
  showActions(state);
  announce(state);
  captions(state);
  tableMoved(state);
  showBanner();
}

document.querySelectorAll("[data-ask]").forEach((button) => button.addEventListener("click", () => ask(button)));
startFollowing();
startHand(ME, current, (text) => put(place("answer"), text), perform);
addEventListener("token", learnWho);
learnWho();
follow(show, (...now) => { link = now; showBanner(); });
showBanner();
