// The table over somebody's video, on nothing: the address says what is shown, where and how large (docs/pages.md).
import { cardName, colourName, follow, linkText, t } from "./stream.js";
import { shapeIcon, showCard } from "./cards.js";
import { iconAndText, make, nameOf, place, put } from "./dom.js";
import { actor, asked, cardsOf, directionOf, flag, happened, headline, pointsOf } from "./words.js";

const LAYOUTS = ["lower", "column"];
const PARTS = ["card", "colour", "turn", "direction", "ask", "said", "seats", "counts", "scores"];
const asks = new URLSearchParams(location.search);
const oneOf = (name, known) => (known.includes(asks.get(name)) ? asks.get(name) : known[0]);

// What is to be shown, as `?show=card,turn`; without it everything.
const wanted = (asks.get("show") || "").split(",").filter((part) => PARTS.includes(part));
const shows = (part) => !wanted.length || wanted.includes(part);
const ARROWS = { 1: "M4 12h14m-6-6 6 6-6 6", "-1": "M20 12H6m6-6-6 6 6 6" };
const arrow = (way) => `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path d="${ARROWS[way]}"/></svg>`;

function arrange() {
  place("overlay").className = `${oneOf("layout", LAYOUTS)} ${oneOf("side", ["left", "right"])}`;
  const scale = Math.min(4, Math.max(0.4, Number(asks.get("scale")) || 1));
  document.documentElement.style.setProperty("--scale", scale);
  document.documentElement.dataset.theme = oneOf("theme", ["dark", "light"]);
  for (const part of document.querySelectorAll("[data-part]")) part.classList.toggle("unwanted", !shows(part.dataset.part));
  if (shows("colour") && !shows("card")) place("pile").classList.replace("unwanted", "faceless");
}

function showPile(state) {
  showCard(place("face"), state.top, state.top ? cardName(state.top) : t("display.no_top"));
  for (const colour of ["R", "Y", "G", "B"]) place("pile").classList.toggle(`colour-${colour}`, state.colour === colour);
  const text = state.colour ? colourName(state.colour) : state.top ? t("display.colour_open") : "";
  iconAndText(place("colour"), state.colour ? shapeIcon(state.colour) : "", text);
}

function showWords(state) {
  const [kicker, big] = headline(state);
  put(place("kicker"), kicker);
  put(place("name"), big);
  const turning = directionOf(state);
  iconAndText(place("direction"), turning ? arrow(state.direction) : "", turning);
  const ask = state.players.length ? asked(state) : "";
  place("ask").hidden = !ask;
  put(place("ask"), ask);
  put(place("happened"), happened(state));
}

function seat(state, number) {
  const [sign, tone] = flag(state, number);
  const parts = [
    make("span", { className: "who", dir: "auto", textContent: nameOf(state, number) }),
    shows("counts") && cardsOf(state, number) ? make("span", { className: "count", textContent: cardsOf(state, number) }) : null,
    shows("scores") ? make("span", { className: "score", textContent: pointsOf(state, number) }) : null,
    sign && tone === "alarm" ? make("span", { className: "flag", textContent: sign }) : null,
  ];
  return make("li", { className: `seat${actor(state) === number ? " acts" : ""}${(state.out || []).includes(number) ? " gone" : ""}` }, ...parts);
}

let latest = null;
let link = [false, 0];
// A stream's viewers see a lost line only when it matters: the overlay keeps what it knew, a small mark says so.
function showBanner() {
  const away = linkText(...link, latest);
  place("banner").hidden = !away;
  put(place("banner"), away);
}

function show(state) {
  latest = state;
  place("overlay").hidden = !state.players.length;
  showPile(state);
  showWords(state);
  place("seats").replaceChildren(...state.players.map((_, index) => seat(state, index + 1)));
  fit();
  showBanner();
}

// As large as was asked for, but never beyond the picture.
function fit() {
  const root = document.documentElement.style;
  for (let size = 1; size > 0.3; size *= 0.9) {
    root.setProperty("--fit", size.toFixed(3));
    const shown = [...document.querySelectorAll("#pile, .words, .seat")].filter((part) => part.getClientRects().length);
    const [parts, spills] = [shown.map((part) => part.getBoundingClientRect()), shown.map((part) => part.scrollWidth - part.clientWidth)];
    const inside = parts.every((box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth + 1);
    if (inside && parts.every((box, index) => spills[index] <= 1)) return;
  }
}

arrange();
addEventListener("resize", fit);
follow(show, (...now) => { link = now; showBanner(); });
