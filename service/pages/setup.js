// The host's page: what the table says now, and everything that people tell it. Each part keeps to its own section.
import { captionLog, cardName, colourName, counted, follow, linkText, t, texts } from "./stream.js";
import { shapeIcon, showCard } from "./cards.js";
import { choices, make, nameOf, place, put, seats } from "./dom.js";
import { actor, cardsOf, flag } from "./words.js";
import { say, showActions, startActions } from "./actions.js";
import { check, startCheck } from "./check.js";
import { showDoubt } from "./doubt.js";
import { homeView, isShown, onView, startViews } from "./views.js";
import { startKeys } from "./keys.js";
import { lookForZones, startZones } from "./zones.js";
import { showCounting } from "./counting.js";
import { showHistory, startHistory } from "./history.js";
import { showMatch, startMatch } from "./match.js";
import { showMatches } from "./matches.js";
import { showSpeaking, startSpeaking } from "./speaking.js";
import { startLinks } from "./links.js";
import { showCamera, watchCamera } from "./camera.js";
import { me } from "./me.js";
import { keepFor } from "./token.js";

let latest = null;
const current = () => latest;

// Words within a sentence: German nouns keep their capitals.
const within = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const noun = (text) => document.documentElement.lang === "de" ? text : within(text);

function sentence(state) {
  if (!state.players.length) return t("setup.state_none");
  if (state.match_winner) return t("setup.state_over", { name: nameOf(state, state.match_winner) });
  if (state.phase === "counting") return t("setup.state_counting", { round: state.round });
  if (state.phase === "playing" && !state.top) return t("setup.state_start", { round: state.round });
  if (!state.turn) return t("setup.state_between");
  const direction = within(t(state.direction === 1 ? "display.clockwise" : "display.counter_clockwise"));
  const colour = state.colour ? noun(colourName(state.colour)) : t("setup.colour_open");
  return t("setup.state_playing", { round: state.round, name: nameOf(state, state.turn), direction, top: cardName(state.top), colour });
}

function showState(state) {
  showCard(place("face"), state.top, state.top ? cardName(state.top) : t("display.no_top"));
  put(place("state"), sentence(state));
  place("ask").hidden = !state.question;
  put(place("ask"), state.question);
  place("seats").replaceChildren(make("tbody", {}, ...seats(state).map(([seat, name]) => seatRow(state, seat, name))));
}

function seatRow(state, seat, name) {
  const row = make("tr", { className: actor(state) === seat ? "acts" : "" },
    make("th", { scope: "row" }, make("span", { className: "seated" }, make("span", { className: "number", textContent: seat }), " ", make("span", { className: "who", dir: "auto", textContent: name }), " ",
      make("span", { className: `flag ${flag(state, seat)[1]}`, textContent: flag(state, seat)[0] }))),
    state.counts.length ? make("td", { textContent: cardsOf(state, seat) }) : null,
    make("td", { textContent: counted("display.points", state.scores[seat - 1] || 0) }));
  if (actor(state) === seat) row.setAttribute("aria-current", "true");
  return row;
}

const captions = captionLog(place("captions"));

function showSound(state) {
  put(place("sound"), state.voice.sound ? t("setup.sound_on") : t("setup.sound_off", { reason: state.voice.reason || "" }));
}

function fillCards() {
  const faces = Object.keys(texts.cards).filter((card) => card !== "??");
  place("cards").replaceChildren(...faces.map((card) => make("option", { value: card, label: cardName(card) })));
  const colours = [["", ""], ...["R", "Y", "G", "B"].map((letter) => [letter, colourName(letter)])];
  for (const id of ["named", "amend-named"]) choices(place(id), colours);
  for (const button of document.querySelectorAll("[data-colour]")) {
    button.innerHTML = shapeIcon(button.dataset.colour);
    button.append(colourName(button.dataset.colour));
  }
}

let link = [false, 0];
function showBanner() {
  const away = linkText(...link, latest);
  const lost = latest && !latest.camera.works ? latest.camera.reason || t("display.camera_lost") : "";
  place("banner").hidden = !away && !lost;
  put(place("banner"), away || lost);
}

// Where the next thing is done: there goes the focus when what had it is no longer offered.
function nextPlace({ phase, top }) {
  if (["between", "counting"].includes(phase)) return place("round");
  return place(top || phase === "over" ? "actions" : "hand");
}

function keepFocus(focused, state) {
  const gone = focused && focused !== document.body && !focused.getClientRects().length;
  if (gone && isShown("table") && nextPlace(state).getClientRects().length) nextPlace(state).focus();
}

let listed = null;
function show(state) {
  const focused = document.activeElement;
  latest = state;
  homeView(state.players.length > 0);
  showState(state);
  captions(state);
  showDoubt(state);
  showActions(state);
  showHistory(state);
  showMatch(state);
  showCounting(state);
  showSound(state);
  showCamera(state.camera);
  showBanner();
  document.body.classList.toggle("empty", !state.players.length);
  if (listed !== state.match && isShown("matches")) showMatches();
  listed = state.match;
  keepFocus(focused, state);
}

// Whoever is not the host reads how to become it, and is offered nothing that would be refused.
function showClosed({ role, seat }) {
  place("look").hidden = role === "nobody";
  document.body.classList.add("closed");
  place("access").hidden = false;
  place("own-seat").hidden = !seat;
  place("own-seat").href = `/seat/${seat}`;
  if (!seat) return;
  keepFor(`/seat/${seat}`);
  put(place("own-seat"), t("seat.own_seat", { mine: t("seat.seat", { n: seat }) }));
}

async function enter() {
  const who = await me();
  link = [true, 0];
  showBanner();
  if (who.role !== "host") return showClosed(who);
  startViews();
  watchCamera(lookForZones);
  follow(show, (...now) => { link = now; showBanner(); });
}

fillCards();
startActions(current);
startKeys();
startHistory(current);
startMatch(current);
startZones();
startCheck();
startSpeaking();
onView("screens", startLinks(current));
onView("matches", showMatches);
onView("check", check);
onView("new", showSpeaking);
addEventListener("token", () => location.reload());
showBanner();
say("");
enter();
