// Around the rounds: new match, deal, counting the hands, stored matches.
import { t, texts } from "./stream.js";
import { choices, make, nameOf, place, put, seats } from "./dom.js";
import { say, send } from "./actions.js";

let current = () => null;
let sure = false;
let listed = -1;

const names = () => place("players").value.split("\n").map((name) => name.trim()).filter(Boolean);

function optionField(name, option) {
  const text = make("span", { textContent: t(`options.${name}`) });
  if (option.values.length === 2 && option.values.includes("on")) {
    const box = make("input", { type: "checkbox", name, checked: option.default === "on" });
    return make("label", { className: "check" }, box, text);
  }
  const select = make("select", { name });
  choices(select, option.values.map((value) => [value, value]), option.default);
  return make("label", {}, text, " ", select);
}

// The house rules that differ from what the rules say by default, as the record writes them.
function options() {
  const given = {};
  for (const field of place("options").querySelectorAll("input, select")) {
    const value = field.type === "checkbox" ? (field.checked ? "on" : "off") : field.value;
    if (value !== texts.house_rules[field.name].default) given[field.name] = value;
  }
  return given;
}

async function begin(event) {
  event.preventDefault();
  const players = names();
  if (players.length < 2 || players.length > 10) return say(t("setup.players_count"));
  if (current().players.length && !current().match_winner && current().version && !sure) {
    sure = true;
    return put(place("start-match"), t("setup.start_match_sure"));
  }
  sure = false;
  put(place("start-match"), t("setup.start_match"));
  const action = {
    action: "new_match", players, mode: place("mode").value, deck: place("deck").value, target: Number(place("target").value),
    dealer: Number(place("first-dealer").value) || 1, options: options(),
  };
  await send(action, t("setup.new_match"));
}

function handField(state, seat) {
  const name = nameOf(state, seat);
  const cards = make("input", { autocomplete: "off", name: "cards" });
  const points = make("input", { type: "number", min: 0, max: 2000, name: "points" });
  const form = make("form", { className: "row" },
    make("label", {}, t("setup.hand_of", { name }), " ", cards), make("label", {}, t("setup.points_of"), " ", points),
    make("button", { textContent: t("setup.save_hand", { name }) }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const held = cards.value.trim().toUpperCase().split(/[\s,]+/).filter(Boolean);
    const action = points.value !== "" ? { action: "points", seat, points: Number(points.value) } : { action: "hand", seat, cards: held };
    send(action, t("setup.hand_of", { name }));
  });
  return form;
}

function showCounting(state) {
  const counting = state.phase === "counting";
  place("counting").hidden = !counting;
  const key = counting ? `${state.round}:${state.uncounted}` : "";
  if (place("hands").dataset.key === key) return;
  place("hands").dataset.key = key;
  place("hands").replaceChildren(...(counting ? state.uncounted.map((seat) => handField(state, seat)) : []));
}

async function showMatches(state) {
  if (listed === state.match) return;
  listed = state.match;
  try {
    const { matches } = await (await fetch("/api/matches")).json();
    const rows = matches.reverse().map((match) => matchRow(match, match.id === state.match));
    place("matches").replaceChildren(...(rows.length ? rows : [make("li", { textContent: t("setup.no_matches") })]));
  } catch {
    listed = -1;
  }
}

function matchRow(match, current) {
  const link = make("a", { href: `/api/matches/${match.id}.trn`, download: `${match.id}.trn`, textContent: t("setup.download") });
  link.setAttribute("aria-label", `${t("setup.download")} ${match.id}`);
  const note = current ? ` (${t("setup.current")})` : "";
  const began = new Date(match.began).toLocaleString(document.documentElement.lang);
  return make("li", {}, `${match.id}: ${began}: ${match.players.join(t("between"))}${note} `, link);
}

const dealers = () => choices(place("first-dealer"), names().map((name, index) => [index + 1, name]));

let before = null;
export function showMatch(state) {
  choices(place("dealer"), seats(state), before !== state.next_dealer && state.next_dealer ? state.next_dealer : place("dealer").value);
  before = state.next_dealer;
  place("deal").hidden = !state.players.length;
  if (!place("players").value && state.players.length) {
    place("players").value = state.players.join("\n");
    dealers();
  }
  showCounting(state);
  showMatches(state);
}

export function startMatch(state) {
  current = state;
  const fields = Object.entries(texts.house_rules).map(([name, option]) => optionField(name, option));
  place("options").replaceChildren(...fields);
  place("match").addEventListener("submit", begin);
  place("deal").addEventListener("submit", (event) => {
    event.preventDefault();
    send({ action: "deal", seat: Number(place("dealer").value) }, t("setup.deal"));
  });
  place("players").value = localStorage.getItem("tableref-players") || "";
  place("players").addEventListener("input", () => {
    localStorage.setItem("tableref-players", place("players").value);
    dealers();
  });
  dealers();
}
