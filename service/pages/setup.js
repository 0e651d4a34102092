// The host's page: what the table says now, and everything that people tell it. Each part keeps to its own section.
import { captionLog, cardName, colourName, counted, follow, t, texts } from "./stream.js";
import { shapeIcon, showCard } from "./cards.js";
import { choices, make, nameOf, place, put, seats } from "./dom.js";
import { say, showActions, startActions } from "./actions.js";
import { showHistory, startHistory } from "./history.js";
import { showMatch, startMatch } from "./match.js";

let latest = null;
const current = () => latest;

function sentence(state) {
  if (!state.players.length) return t("setup.state_none");
  if (state.match_winner) return t("setup.state_over", { name: nameOf(state, state.match_winner) });
  if (state.phase === "counting") return t("setup.state_counting", { round: state.round });
  if (!state.turn) return t("setup.state_between");
  const direction = t(state.direction === 1 ? "display.clockwise" : "display.counter_clockwise").toLowerCase();
  if (!state.top) return t("setup.state_start", { round: state.round });
  const colour = state.colour ? colourName(state.colour).toLowerCase() : t("setup.colour_open");
  return t("setup.state_playing", { round: state.round, name: nameOf(state, state.turn), direction, top: cardName(state.top), colour });
}

function showState(state) {
  showCard(place("face"), state.top, state.top ? cardName(state.top) : t("display.no_top"));
  put(place("state"), sentence(state));
  place("ask").hidden = !state.question;
  put(place("ask"), state.question);
  const rows = seats(state).map(([seat, name]) => {
    const row = make("tr", { className: state.turn === seat ? "acts" : "" },
      make("th", { scope: "row", textContent: `${seat} ${name}` }),
      make("td", { textContent: state.counts.length ? counted("display.cards", state.counts[seat - 1]) : "" }),
      make("td", { textContent: counted("display.points", state.scores[seat - 1] || 0) }),
      make("td", { textContent: state.catchable === seat ? t("display.catchable") : state.dealer === seat ? t("display.dealer") : "" }));
    if (state.turn === seat) row.setAttribute("aria-current", "true");
    return row;
  });
  place("seats").replaceChildren(make("tbody", {}, ...rows));
}

const captions = captionLog(place("captions"));

function showSound(state) {
  put(place("sound"), state.voice.sound ? t("setup.sound_on") : t("setup.sound_off", { reason: state.voice.reason || "" }));
}

// A picture at a time: it stops by itself while the page is hidden, and comes back after a lost line.
function watchCamera() {
  const picture = place("preview");
  const next = (wait) => setTimeout(load, wait);
  const load = () => {
    if (document.hidden) return void next(500);
    const image = new Image();
    image.onload = () => { picture.src = image.src; picture.hidden = false; place("no-preview").hidden = true; next(400); };
    image.onerror = () => { picture.hidden = true; place("no-preview").hidden = false; next(2000); };
    image.src = `/api/preview.jpg?${Date.now()}`;
  };
  load();
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

let connected = false;
function showBanner() {
  const lost = latest && !latest.camera.works;
  place("banner").hidden = connected && !lost;
  put(place("banner"), !connected ? t(latest ? "not_connected" : "connecting") : lost ? latest.camera.reason || t("display.camera_lost") : "");
}

function show(state) {
  latest = state;
  showState(state);
  captions(state);
  showActions(state);
  showHistory(state);
  showMatch(state);
  showSound(state);
  showBanner();
  document.body.classList.toggle("empty", !state.players.length);
}

fillCards();
startActions(current);
startHistory(current);
startMatch(current);
watchCamera();
follow(show, (link) => { connected = link; showBanner(); });
showBanner();
say("");
