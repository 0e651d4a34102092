// The screen across the room: one state in, one picture out. It asks nothing and sends nothing.
import { captionLog, cardName, colourName, follow, linkText, t } from "./stream.js";
import { shapeIcon, showCard } from "./cards.js";
import { iconAndText, make, nameOf, place, put } from "./dom.js";
import { fitLine, holds, shrink } from "./fit.js";
import { actor, asked, cardsOf, directionOf, flag, happened, headline, pointsOf, targetOf } from "./words.js";

const ROUND_ARROW = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="M20 12a8 8 0 1 1-2.6-5.9"/><path d="M20.5 2.5V7.5H15.5"/></svg>`;
const LEFT_ARROW = ROUND_ARROW.replace("<svg", '<svg class="mirrored"');
const ON_ONE_LINE = 0.75; // of the size of a name, before it goes on two lines
const TOO_SMALL = 0.55;
const HELD = '<svg viewBox="0 0 16 22" aria-hidden="true"><rect x="1" y="1" width="14" height="20" rx="2.5" fill="none" stroke="currentColor" stroke-width="2"/></svg>';

function showPile(state) {
  const face = place("face");
  const before = face.dataset.card;
  showCard(face, state.top, state.top ? cardName(state.top) : t("display.no_top"));
  if (before !== undefined && before !== face.dataset.card) refresh(face);
  place("pile").className = `pile${state.colour ? ` colour-${state.colour}` : ""}`;
  const open = state.top && !state.colour;
  const text = state.colour ? colourName(state.colour) : open ? t("display.colour_open") : "";
  place("colour").className = `colour${state.colour ? "" : " open"}${text.length > 7 ? " long" : ""}`;
  iconAndText(place("colour"), state.colour ? shapeIcon(state.colour) : "", text);
}

// Lets the card be laid once more, for the eye.
function refresh(face) {
  face.classList.remove("fresh");
  void face.offsetWidth;
  face.classList.add("fresh");
}

function showNow(state) {
  const [kicker, big] = headline(state);
  put(place("kicker"), kicker);
  put(place("name"), big);
  const ask = asked(state);
  place("ask").hidden = !ask;
  put(place("ask"), ask);
  put(place("happened"), happened(state));
  const turning = directionOf(state);
  iconAndText(place("direction"), turning ? (state.direction === 1 ? ROUND_ARROW : LEFT_ARROW) : "", turning);
  put(place("round"), state.round ? t("display.round", { n: state.round }) : "");
  put(place("target"), targetOf(state));
}

function seatTile(state, seat) {
  const acts = actor(state) === seat;
  const [sign, tone] = flag(state, seat);
  const count = make("span", { className: "count" });
  if (cardsOf(state, seat)) {
    count.innerHTML = HELD;
    count.append(make("span", { textContent: state.counts[seat - 1], "aria-hidden": "true" }), make("span", { className: "quiet", textContent: cardsOf(state, seat) }));
  }
  const tile = make("li", { className: `seat${acts ? " acts" : ""}${(state.out || []).includes(seat) ? " gone" : ""}` },
    make("span", { className: "who" }, make("span", { dir: "auto", textContent: nameOf(state, seat) })),
    sign ? make("span", { className: `flag ${tone}` }, make("span", { textContent: sign })) : null,
    count, score(state, seat), progress(state, seat));
  if (acts) tile.setAttribute("aria-current", "true");
  return tile;
}

// The points in few letters for the eye, in full for a screen reader.
function score(state, seat) {
  const few = make("span", { textContent: t("display.points_short", { n: state.scores[seat - 1] || 0 }), "aria-hidden": "true" });
  return make("span", { className: "score" }, few, make("span", { className: "quiet", textContent: pointsOf(state, seat) }));
}

// How far the score has come, as a line; the number beside it says the same.
function progress(state, seat) {
  const bar = make("span", { className: "progress", "aria-hidden": "true" });
  const part = Math.min(1, (state.scores[seat - 1] || 0) / state.target);
  bar.style.setProperty("--part", part.toFixed(3));
  return bar;
}

// Seats side by side where the screen is higher than wide: three, and four where that saves a row and there is room.
const upright = (number) => (number < 5 ? 2 : innerWidth > 700 && Math.ceil(number / 4) < Math.ceil(number / 3) ? 4 : 3);

function showSeats(state) {
  const list = place("seats");
  const number = state.players.length;
  const portrait = matchMedia("(max-aspect-ratio: 1/1)").matches;
  const columns = portrait ? upright(number) : number > 5 ? Math.ceil(number / 2) : Math.max(number, 1);
  list.style.setProperty("--columns", columns);
  list.className = `seats${number > 4 ? " many" : ""}${directionOf(state) ? ` way${state.direction === 1 ? "" : " back"}` : ""}`;
  document.body.classList.toggle("crowded", !portrait && number > columns);
  const tiles = state.players.map((_, index) => seatTile(state, index + 1));
  tiles.forEach((tile, index) => tile.classList.toggle("edge", (index + 1) % columns === 0));
  list.replaceChildren(...tiles);
  tiles.forEach(fitFlag);
  fitNames(list, tiles.map((tile) => tile.querySelector(".who")));
}

const fitFlag = (tile) => tile.querySelectorAll(".flag span").forEach((sign) => fitLine(sign, 0.5, 0.5));

// One line for every name; where one would be too small on it, all tiles get the room for two.
function fitNames(list, names) {
  list.classList.remove("tall");
  names.forEach((name) => fitLine(name, ON_ONE_LINE, TOO_SMALL));
  if (!names.some((name) => name.classList.contains("wraps"))) return;
  list.classList.add("tall");
  names.forEach((name) => fitLine(name, ON_ONE_LINE, TOO_SMALL));
}

// The words in the middle get smaller in this order: the name, what happened, and then all of them.
function fitNow() {
  const now = document.querySelector(".now");
  for (const [part, name] of [[now, "all"], [now, "less"], [place("happened"), "size"]]) part.style.setProperty(`--${name}`, 1);
  fitLine(place("name"), ON_ONE_LINE, TOO_SMALL);
  for (const [part, name, least] of [[now, "less", 0.6], [place("happened"), "size", 0.75], [now, "all", 0.35]]) {
    if (holds(now)) return;
    shrink(part, name, least, () => holds(now));
  }
}

const captions = captionLog(place("captions"));
let latest = null;
let link = [false, 0];
function showBanner() {
  const away = linkText(...link, latest);
  const lost = latest && !latest.camera.works ? latest.camera.reason || t("display.camera_lost") : "";
  document.body.classList.toggle("away", Boolean(away && latest));
  place("banner").hidden = !away && !lost;
  put(place("banner"), away || lost);
}

function show(state) {
  latest = state;
  document.body.dataset.phase = state.phase || "none";
  document.body.dataset.version = state.version;
  showPile(state);
  showNow(state);
  showSeats(state);
  captions(state);
  showBanner();
  fitNow();
}

addEventListener("resize", () => latest && (showSeats(latest), fitNow()));
put(place("name"), t("product"));
follow(show, (...now) => { link = now; showBanner(); });
showBanner();
