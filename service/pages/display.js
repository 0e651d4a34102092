// The screen across the room: one state in, one picture out. It asks nothing and sends nothing.
import { captionLog, cardName, colourName, counted, follow, t } from "./stream.js";
import { shapeIcon, showCard } from "./cards.js";
import { nameOf, place, put } from "./dom.js";

const ROUND_ARROW = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="M20 12a8 8 0 1 1-2.6-5.9"/><path d="M20.5 2.5V7.5H15.5"/></svg>`;
const LEFT_ARROW = ROUND_ARROW.replace("<svg", '<svg class="mirrored"');
const HELD = '<svg viewBox="0 0 16 22" aria-hidden="true"><rect x="1" y="1" width="14" height="20" rx="2.5" fill="none" stroke="currentColor" stroke-width="2"/></svg>';

// Who is meant by the big name, and the small line above it.
function headline(state) {
  if (!state.players.length) return ["", t("display.no_match")];
  if (state.match_winner) return [t("display.match_over"), winner(state)];
  if (state.pending && state.pending.seat) return [t("question"), nameOf(state, state.pending.seat)];
  if (state.turn) return [t("display.turn"), nameOf(state, state.turn)];
  if (state.round_winner) return [t("display.wins_round"), nameOf(state, state.round_winner)];
  if (state.phase === "playing") return [t("display.round", { n: state.round }), t("display.start")];
  return [t("display.between_rounds"), t("display.waiting")];
}

function winner(state) {
  const first = nameOf(state, state.match_winner);
  if (state.mode !== "teams") return t("display.winner", { name: first });
  return t("display.team_winner", { name: first, partner: nameOf(state, ((state.match_winner + 1) % 4) + 1) });
}

function question(state) {
  if (!state.players.length) return t("display.no_match_about");
  if (state.question) return state.question;
  if (state.phase === "counting") {
    return t("display.counting_of", { names: state.uncounted.map((seat) => nameOf(state, seat)).join(t("between")) });
  }
  if (state.phase === "between" && state.next_dealer) return t("display.next_deal", { name: nameOf(state, state.next_dealer) });
  return "";
}

function showPile(state) {
  const pile = place("pile");
  const face = place("face");
  const before = face.dataset.card;
  showCard(face, state.top, state.top ? cardName(state.top) : t("display.no_top"));
  if (before !== undefined && before !== face.dataset.card) refresh(face);
  pile.className = `pile${state.colour ? ` colour-${state.colour}` : ""}`;
  const colour = place("colour");
  const open = state.top && !state.colour;
  const text = state.colour ? colourName(state.colour) : open ? t("display.colour_open") : "";
  if (colour.dataset.shown === `${state.colour}${text}`) return;
  colour.dataset.shown = `${state.colour}${text}`;
  colour.classList.toggle("open", !state.colour);
  colour.classList.toggle("long", text.length > 7);
  colour.innerHTML = state.colour ? shapeIcon(state.colour) : "";
  colour.append(Object.assign(document.createElement("span"), { textContent: text }));
}

function refresh(face) {
  face.classList.remove("fresh");
  void face.offsetWidth;
  face.classList.add("fresh");
}

// What the last event was told with: the sentences back to the one that said whose turn it was, without those that the
// big name and the question say already.
function happened(state) {
  const isNext = (caption) => /^(turn|question|answer)\b/.test(caption.topic);
  const captions = [...state.captions];
  while (captions.length && isNext(captions[captions.length - 1])) captions.pop();
  const start = captions.map(isNext).lastIndexOf(true) + 1;
  return captions.slice(start).slice(-3).map((caption) => caption.text).join(" ");
}

function showNow(state) {
  const [kicker, big] = headline(state);
  put(place("kicker"), kicker);
  put(place("name"), big);
  place("name").classList.toggle("long", big.length > 13);
  place("name").classList.toggle("longer", big.length > 18);
  const ask = question(state);
  place("ask").hidden = !ask;
  put(place("ask"), ask);
  put(place("happened"), happened(state));
  const turning = Boolean(state.direction && state.top);
  const clockwise = state.direction === 1;
  place("direction").innerHTML = turning ? (clockwise ? ROUND_ARROW : LEFT_ARROW) : "";
  if (turning) place("direction").append(t(clockwise ? "display.clockwise" : "display.counter_clockwise"));
  put(place("round"), state.round ? t("display.round", { n: state.round }) : "");
  put(place("target"), state.players.length ? t(state.mode === "elimination" ? "display.target_elimination" : "display.target", { n: state.target }) : "");
}

// The one sign that a seat carries: the most pressing comes first.
function flag(state, seat) {
  const wins = [state.match_winner, state.round_winner].includes(seat);
  if (state.catchable === seat) return [t("display.catchable"), "alarm"];
  if (wins) return [t(state.match_winner === seat ? "display.wins_match" : "display.wins_round"), "alarm"];
  if ((state.out || []).includes(seat)) return [t("display.out"), "plain"];
  if (state.pending && state.pending.seat === seat) return [t("display.asked"), "acting"];
  if (state.turn === seat) return [t("display.plays"), "acting"];
  if (state.counts && state.counts[seat - 1] === 1) return [t("display.uno"), "alarm"];
  if (state.dealer === seat) return [t("display.dealer"), "plain"];
  return ["", ""];
}

function seatTile(state, seat) {
  const tile = document.createElement("li");
  const acts = (state.pending && state.pending.seat ? state.pending.seat : state.turn) === seat;
  tile.className = `seat${acts ? " acts" : ""}${(state.out || []).includes(seat) ? " gone" : ""}`;
  if (acts) tile.setAttribute("aria-current", "true");
  const part = (cls, text) => Object.assign(document.createElement("span"), { className: cls, textContent: text });
  const [sign, tone] = flag(state, seat);
  const count = part("count", "");
  if (state.counts && state.counts.length) {
    const number = part("", String(state.counts[seat - 1]));
    number.setAttribute("aria-hidden", "true");
    count.innerHTML = HELD;
    count.append(number, part("quiet", counted("display.cards", state.counts[seat - 1])));
  }
  tile.append(part("who", nameOf(state, seat)), part(`flag ${tone}`, sign), count, part("score", counted("display.points", state.scores[seat - 1] || 0)));
  return tile;
}

function showSeats(state) {
  const seats = place("seats");
  const number = state.players.length;
  const portrait = matchMedia("(max-aspect-ratio: 1/1)").matches;
  const columns = portrait ? (number > 4 ? 3 : 2) : number > 6 ? Math.ceil(number / 2) : Math.max(number, 1);
  seats.style.setProperty("--columns", columns);
  seats.classList.toggle("many", columns > (portrait ? 2 : 4));
  document.body.classList.toggle("crowded", !portrait && number > columns);
  seats.replaceChildren(...state.players.map((_, index) => seatTile(state, index + 1)));
}

const captions = captionLog(place("captions"));
let latest = null;
let connected = false;
function showBanner() {
  const banner = place("banner");
  const lost = latest && !latest.camera.works;
  document.body.classList.toggle("away", !connected);
  banner.hidden = connected && !lost;
  put(banner, !connected ? t(latest ? "not_connected" : "connecting") : lost ? latest.camera.reason || t("display.camera_lost") : "");
}

function show(state) {
  latest = state;
  document.body.dataset.phase = state.phase || "none";
  showPile(state);
  showNow(state);
  showSeats(state);
  captions(state);
  showBanner();
}

addEventListener("resize", () => latest && showSeats(latest));
follow(show, (link) => { connected = link; showBanner(); });
showBanner();
