// A match that was played, or is being played: its result, its replay, its plots.
import { cardName, colourName, counted, follow, linkText, t, texts } from "./stream.js";
import { showCard } from "./cards.js";
import { choices, make, nameOf, place, put, seats } from "./dom.js";
import { directionOf } from "./words.js";
import { barPlot, linePlot, numbers } from "./plots.js";
import { countsInRound, median, ranking, rounds, scoresByRound, turnSeconds } from "./figures.js";
import { savePicture } from "./picture.js";
import { call } from "./token.js";

const NUMBER = Number(location.pathname.split("/")[2]) || null;
const PACE = 1200; // ms a step of the replay

let story = null;
let running = 0;

const stateAt = (index) => ({ ...story.steps[index], players: story.players, mode: story.mode, target: story.target });
const names = () => story.players.map((_, index) => nameOf(story, index + 1));

// What happened in a step, in words.
function sentence(step) {
  const what = [step.card ? "" : texts.acts[step.action] || "", step.card ? cardName(step.card) : "", step.named ? colourName(step.named) : ""].filter(Boolean).join(t("between"));
  return step.seat ? `${nameOf(story, step.seat)}: ${what}` : what;
}

function showStep() {
  const index = Number(place("step").value);
  if (!story.steps.length) return;
  const state = stateAt(index);
  showCard(place("face"), state.top, state.top ? cardName(state.top) : t("display.no_top"));
  put(place("what"), sentence(state));
  const minutes = state.seconds === null ? "" : `${Math.floor(state.seconds / 60)}:${String(Math.floor(state.seconds % 60)).padStart(2, "0")}`;
  const parts = [t("match.step_of", { n: index + 1, all: story.steps.length }), state.round ? t("display.round", { n: state.round }) : "", state.colour ? colourName(state.colour) : "", directionOf(state), minutes];
  put(place("where"), parts.filter(Boolean).join(t("between")));
  place("step").setAttribute("aria-valuetext", `${index + 1}: ${sentence(state)}`);
  place("seats").replaceChildren(make("tbody", {}, ...seats(state).map(([seat, name]) => make("tr", { className: state.turn === seat ? "acts" : "" },
    make("th", { scope: "row" }, make("span", { className: "number", textContent: seat }), " ", make("span", { className: "who", dir: "auto", textContent: name })),
    make("td", { textContent: state.counts.length ? counted("display.cards", state.counts[seat - 1]) : "" }),
    make("td", { textContent: counted("display.points", state.scores[seat - 1] || 0) })))));
}

function go(to) {
  place("step").value = String(Math.max(0, Math.min(story.steps.length - 1, to)));
  showStep();
}

const at = () => Number(place("step").value);

function stop() {
  clearInterval(running);
  running = 0;
  put(place("run"), t("match.run"));
}

function run() {
  if (running) return stop();
  if (at() === story.steps.length - 1) go(0);
  put(place("run"), t("match.stop"));
  running = setInterval(() => (at() < story.steps.length - 1 ? go(at() + 1) : stop()), PACE);
}

function showResult() {
  const last = story.steps.length ? stateAt(story.steps.length - 1) : null;
  put(place("result"), last && last.match_winner ? t("display.winner", { name: nameOf(story, last.match_winner) }) : t("setup.unfinished"));
  const ranks = ranking(story);
  place("ranks").replaceChildren(...ranks.map(({ seat, score }, index) => make("li", { className: last && last.match_winner === seat ? "first" : "" },
    make("span", { textContent: `${index + 1}.` }), make("span", { className: "who", dir: "auto", textContent: nameOf(story, seat) }),
    make("span", { className: "score", textContent: counted("display.points", score) }))));
}

function showScores() {
  const lines = scoresByRound(story);
  const labels = ["0", ...rounds(story.steps).map(String)];
  const rows = names().map((name, index) => [name, ...lines[index]]);
  place("plot-scores").replaceChildren(linePlot(t("match.scores"), names(), lines, labels), numbers([t("setup.round"), ...labels], rows));
}

function showCounts() {
  const lines = countsInRound(story, Number(place("round").value));
  const labels = (lines[0] || []).map((_, index) => String(index + 1));
  const rows = labels.map((label, index) => [label, ...lines.map((line) => line[index])]);
  place("plot-counts").replaceChildren(linePlot(t("match.counts"), names(), lines, labels, true), numbers([t("match.step"), ...names()], rows));
}

function showTimes() {
  const taken = turnSeconds(story);
  const seconds = (value) => t("match.seconds", { n: (Math.round(10 * value) / 10).toLocaleString(document.documentElement.lang) });
  const medians = taken.map(median);
  const rows = names().map((name, index) => [name, seconds(medians[index]), taken[index].length ? seconds(Math.max(...taken[index])) : "", taken[index].length]);
  place("plot-times").replaceChildren(barPlot(t("match.times"), names(), medians, medians.map(seconds)),
    numbers([t("setup.players"), t("match.median"), t("match.longest"), t("match.turns")], rows));
}

function show(follows) {
  put(place("title"), t("setup.match_number", { n: story.match }));
  document.title = t("setup.match_number", { n: story.match });
  const began = new Date(story.began);
  put(place("began"), Number.isNaN(began.getTime()) ? "" : began.toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" }));
  place("step").max = String(Math.max(0, story.steps.length - 1));
  choices(place("round"), rounds(story.steps).map((round) => [round, round]), rounds(story.steps).pop());
  place("main").hidden = false;
  showResult();
  go(follows ? story.steps.length - 1 : at());
  showScores();
  showCounts();
  showTimes();
}

// The steps of the match; without a line to the referee it is tried again by itself. Whoever looks at its end sees the
// next step of a match in play come; whoever has gone back stays there.
async function load() {
  const follows = !story || !story.match || at() === story.steps.length - 1;
  const answer = await call(NUMBER ? `/api/matches/${NUMBER}/steps` : "/api/steps").catch(() => null);
  if (answer && answer.ok) {
    story = await answer.json();
    showBanner("story", story.match ? "" : t("display.no_match"));
    return story.match && show(follows);
  }
  const missing = answer && answer.status === 404 && "match.missing";
  showBanner("story", t(missing || (answer && [401, 403].includes(answer.status) ? "not_let_in" : "not_connected")));
  if (!missing) setTimeout(load, 2000);
}

const troubles = { line: "", story: "" };
function showBanner(about, text) {
  troubles[about] = text;
  place("banner").hidden = !troubles.line && !troubles.story;
  put(place("banner"), troubles.line || troubles.story);
}

// The match in play is loaded anew with everything that happens.
function followPlay() {
  let version = -1;
  follow((state) => {
    if (state.version !== version) load();
    version = state.version;
  }, (connected, status) => showBanner("line", linkText(connected, status, story)));
}

place("step").addEventListener("input", () => { stop(); showStep(); });
for (const [id, to] of [["first", () => 0], ["back", () => at() - 1], ["next", () => at() + 1], ["last", () => story.steps.length - 1]]) {
  place(id).addEventListener("click", () => { stop(); go(to()); });
}
place("run").addEventListener("click", run);
place("round").addEventListener("change", showCounts);
place("save-picture").addEventListener("click", () => savePicture(story, ranking(story)));
if (NUMBER) load();
else followPlay();
