// The house rules of the Customizable cards: one row a card, a choice and what that needs besides.
import { t, texts } from "./stream.js";
import { choices, make, place, put } from "./dom.js";

const CARDS = 3; // Customizable cards in the deck
const COSTING = ["others_draw", "next_draw", "dare"];
const MOST = 30; // cards that a rule may cost

function row(number) {
  const about = make("p", { className: "soft", id: `about-effect-${number}` });
  const kind = make("select", { name: "effect", "aria-describedby": about.id });
  choices(kind, [["", t("setup.effect_none")], ...Object.entries(texts.effects)]);
  const cards = make("input", { type: "number", name: "cards", min: 1, max: MOST, value: 2, required: true });
  const text = make("input", { name: "dare", maxLength: 120, autocomplete: "off", required: true, pattern: '[^;"]+' });
  const element = make("div", { className: "option", role: "group", "aria-label": t("setup.effect_of", { n: number }) },
    make("label", {}, make("span", { className: "rule", textContent: t("setup.effect_of", { n: number }) }), " ", kind),
    make("label", {}, t("setup.effect_cards"), " ", cards), make("label", {}, t("setup.effect_dare"), " ", text), about);
  kind.addEventListener("change", () => fit(element));
  fit(element);
  return element;
}

const field = (element, name) => element.querySelector(`[name="${name}"]`);

// Only what the chosen effect needs is shown, and asked for.
function fit(element) {
  const kind = field(element, "effect").value;
  need(field(element, "cards"), COSTING.includes(kind));
  need(field(element, "dare"), kind === "dare");
  put(element.querySelector("p"), kind ? t(`effects_about.${kind}`) : "");
}

function need(input, needed) {
  input.closest("label").hidden = !needed;
  input.disabled = !needed || !isFor112();
}

const isFor112 = () => place("deck").value === "112";
const rows = () => [...place("effects").children];

function notation(element) {
  const kind = field(element, "effect").value;
  const cost = COSTING.includes(kind) ? `=${field(element, "cards").value}` : "";
  return `${kind}${cost} ${kind === "dare" ? field(element, "dare").value : ""}`.trim();
}

// The chosen effects as the record writes them.
export const effects = () => (isFor112() ? rows().map(notation).filter(Boolean) : []);

function show() {
  place("custom").hidden = !isFor112();
  rows().forEach(fit);
}

export function startEffects() {
  place("effects").replaceChildren(...Array.from({ length: CARDS }, (_, index) => row(index + 1)));
  place("deck").addEventListener("change", show);
  show();
}
