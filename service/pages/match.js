// A new match: who sits where, what is played, and the house rules of the table, each explained.
import { t, texts } from "./stream.js";
import { choices, make, place, put, seats } from "./dom.js";
import { say, send } from "./actions.js";
import { goTo } from "./views.js";
import { effects, startEffects } from "./effects.js";
import { kept } from "./token.js";

let current = () => null;
let sure = false;

const names = () => place("players").value.split("\n").map((name) => name.trim()).filter(Boolean);

function optionField(name, option) {
  const about = make("span", { className: "soft", id: `about-${name}`, textContent: t(`options_about.${name}`) });
  const title = make("span", { className: "rule", textContent: t(`options.${name}`) });
  if (option.values.length === 2 && option.values.includes("on")) {
    const box = make("input", { type: "checkbox", name, checked: option.default === "on", "aria-describedby": about.id });
    return make("div", { className: "option" }, make("label", { className: "check" }, box, title), about);
  }
  const select = make("select", { name, "aria-describedby": about.id });
  choices(select, option.values.map((value) => [value, t(`values.${value}`)]), option.default);
  return make("div", { className: "option" }, make("label", {}, title, " ", select), about);
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

function askAgain(asked) {
  sure = asked;
  put(place("start-match"), t(asked ? "setup.start_match_sure" : "setup.start_match"));
}

async function begin(event) {
  event.preventDefault();
  const players = names();
  if (players.length < 2 || players.length > 10) return say(t("setup.players_count"));
  if (current().players.length && !current().match_winner && !sure) return askAgain(true);
  askAgain(false);
  const action = {
    action: "new_match", players, mode: place("mode").value, deck: place("deck").value, target: Number(place("target").value),
    dealer: Number(place("first-dealer").value) || 1, options: options(), custom: effects(),
  };
  if (await send(action, t("setup.new_match"))) goTo("table");
}

// Who sits where, as it will be; and who deals first.
function showSeating() {
  const players = names();
  place("seating").replaceChildren(...players.map((name, index) => make("li", {}, make("span", { className: "number", "aria-hidden": "true", textContent: index + 1 }), make("span", { className: "who", dir: "auto", textContent: name }))));
  choices(place("first-dealer"), players.map((name, index) => [index + 1, name]));
}

let before = null;
export function showMatch(state) {
  choices(place("dealer"), seats(state), before !== state.next_dealer && state.next_dealer ? state.next_dealer : place("dealer").value);
  before = state.next_dealer;
  place("round").hidden = !state.players.length || !["between", "counting"].includes(state.phase);
  place("deal").hidden = state.phase === "counting";
  if (!place("players").value && state.players.length) {
    place("players").value = state.players.join("\n");
    showSeating();
  }
}

export function startMatch(state) {
  current = state;
  place("options").replaceChildren(...Object.entries(texts.house_rules).map(([name, option]) => optionField(name, option)));
  startEffects();
  place("match").addEventListener("submit", begin);
  place("match").addEventListener("input", () => askAgain(false));
  place("deal").addEventListener("submit", (event) => {
    event.preventDefault();
    send({ action: "deal", seat: Number(place("dealer").value) }, t("setup.deal"));
  });
  place("players").value = kept.get("tableref-players") || "";
  place("players").addEventListener("input", () => {
    kept.set("tableref-players", place("players").value);
    showSeating();
  });
  showSeating();
}
