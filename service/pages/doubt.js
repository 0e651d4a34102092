// A card that the camera is not sure of: yes, no, or the card itself. Play goes on meanwhile.
import { cardName, t } from "./stream.js";
import { make, place } from "./dom.js";
import { send } from "./actions.js";

const button = (label, action, className = "") => {
  const one = make("button", { type: "button", className, textContent: label });
  one.addEventListener("click", () => send(action, label));
  return one;
};

// The answers to the open question; the question itself is shown with those of the rules.
export function showDoubt(state) {
  const { doubt } = state;
  const area = place("doubt");
  area.hidden = !doubt;
  const key = doubt ? JSON.stringify([doubt.line, doubt.kind, doubt.cards]) : "";
  if (area.dataset.key === key) return;
  area.dataset.key = key;
  area.replaceChildren(...(doubt ? answers(doubt) : []));
}

function answers({ kind, line, cards }) {
  const plain = kind === "which" ? [] : [button(t("seat.yes"), { command: "yes" }), button(t("seat.no"), { command: "no" })];
  return [...plain, ...cards.map((card) => button(cardName(card), { action: "amend", line, card }, "plain"))];
}
