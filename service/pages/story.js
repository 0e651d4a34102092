// A match that was played, or is being played: its result, its replay, its plots.
import { cardName, colourName, counted, follow, linkText, t } from "./stream.js";
import { showCard } from "./cards.js";
import { choices, make, nameOf, place, put, seats } from "./dom.js";
import { cardsOf, directionOf, meaning, pointsOf } from "./words.js";
import { showBars, showLines, showNothing } from "./plots.js";
import { countsInRound, ended, median, ranking, rounds, scoresByRound, turnSeconds } from "./figures.js";
import { savePicture } from "./picture.js";
import { me } from "./me.js";
import { call } from "./token.js";

const NUMBER = Number(location.pathname.split("/")[2]) || null;
const PACE = 1200; // ms a step of the replay

let story = null;
let running = 0;

const stateAt = (index) => ({ ...story.steps[index], players: story.players, mode: story.mode, target: story.target });
const names = () => story.players.map((_, index) => nameOf(story, index + 1));

function showStep() {
  const index = Number(place("step").value);
  for (const part of document.querySelectorAll(".replaying")) part.hidden = !story.steps.length;
  if (!story.steps.length) return put(place("what"), t("match.nothing_yet"));
  const state = stateAt(index);
  showCard(place("face"), state.top, state.top ? cardName(state.top) : t("display.no_top"));
  put(place("what"), meaning(state, story));
  const minutes = state.seconds === null ? "" : `${Math.floor(state.seconds / 60)}:${String(Math.floor(state.seconds % 60)).padStart(2, "0")}`;
  const parts = [t("match.step_of", { n: index + 1, all: story.steps.length }), state.round ? t("display.round", { n: state.round }) : "", state.colour ? colourName(state.colour) : "", directionOf(state), minutes];
  put(place("where"), parts.filter(Boolean).join(t("between")));
  place("step").setAttribute("aria-valuetext", `${index + 1}: ${meaning(state, story)}`);
  place("seats").replaceChildren(make("tbody", {}, ...seats(state).map(([seat, name]) => make("tr", { className: state.turn === seat ? "acts" : "" },
    make("th", { scope: "row" }, make("span", { className: "seated" }, make("span", { className: "number", textContent: seat }), " ", make("span", { className: "who", dir: "auto", textContent: name }))),
    state.counts.length ? make("td", { textContent: cardsOf(state, seat) }) : null, make("td", { textContent: pointsOf(state, seat) })))));
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
  const past = ended(story.steps);
  if (!past.length) return showNothing(place("plot-scores"), t("match.no_scores"));
  const lines = scoresByRound(story);
  const rows = past.map((round, index) => [round, ...lines.map((line) => line[index + 1])]);
  showLines(place("plot-scores"), { title: t("match.scores"), names: names(), lines, labels: ["0", ...past], heads: [t("setup.round"), ...names()], rows });
}

function showCounts() {
  const lines = countsInRound(story, Number(place("round").value));
  place("round").closest("label").hidden = !rounds(story.steps).length;
  if (!(lines[0] || []).length) return showNothing(place("plot-counts"), t("match.no_counts"));
  const labels = lines[0].map((_, index) => index + 1);
  const rows = labels.map((label, index) => [label, ...lines.map((line) => line[index])]);
  showLines(place("plot-counts"), { title: t("match.counts"), names: names(), lines, labels, stepped: true, heads: [t("match.step"), ...names()], rows });
}

const seconds = (value) => t("match.seconds", { n: (Math.round(10 * value) / 10).toLocaleString(document.documentElement.lang) });

function showTimes() {
  const taken = turnSeconds(story);
  if (!taken.flat().length) return showNothing(place("plot-times"), t("match.no_times"));
  const values = taken.map((turns) => (turns.length ? median(turns) : null));
  const words = values.map((value) => (value === null ? t("match.no_turn") : seconds(value)));
  const rows = names().map((name, seat) => [name, words[seat], taken[seat].length ? seconds(Math.max(...taken[seat])) : t("match.no_turn"), taken[seat].length]);
  showBars(place("plot-times"), { title: t("match.times"), names: names(), values, words, heads: [t("setup.players"), t("match.median"), t("match.longest"), t("match.turns")], rows });
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
  const follows = !story || !story.match || at() >= story.steps.length - 1;
  const answer = await call(NUMBER ? `/api/matches/${NUMBER}/steps` : "/api/steps").catch(() => null);
  if (answer && answer.ok) {
    story = await answer.json();
    showBanner("story", "");
    showEmpty(story.match ? "" : `${t("display.no_match")}. ${t("display.no_match_about")}`);
    return story.match && show(follows);
  }
  const missing = answer && answer.status === 404 && "match.missing";
  const refused = answer && [401, 403].includes(answer.status) && (NUMBER ? "setup.no_access" : "not_let_in");
  showBanner("story", missing || refused ? "" : t("not_connected"));
  showEmpty(missing || refused ? t(missing || refused) : "");
  if (!missing) setTimeout(load, 2000);
}

// What stands on the page where there is no match to show.
function showEmpty(text) {
  place("empty").hidden = !text;
  put(place("why"), text);
  if (text) place("main").hidden = true;
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
  }, (connected, status) => {
    const refused = [401, 403].includes(status);
    if (refused) showEmpty(t("not_let_in"));
    showBanner("line", refused ? "" : linkText(connected, status, story));
  });
}

place("step").addEventListener("input", () => { stop(); showStep(); });
for (const [id, to] of [["first", () => 0], ["back", () => at() - 1], ["next", () => at() + 1], ["last", () => story.steps.length - 1]]) {
  place(id).addEventListener("click", () => { stop(); go(to()); });
}
place("run").addEventListener("click", run);
place("round").addEventListener("change", showCounts);
place("save-picture").addEventListener("click", () => savePicture(story, ranking(story)));
me().then((who) => { place("to-matches").hidden = who.role !== "host"; });
if (NUMBER) load();
else followPlay();
