// The end of a round: each hand by its cards, by its points, or by what lies under the camera.
import { cardName, counted, reasonOf, t } from "./stream.js";
import { cardSvg } from "./cards.js";
import { make, nameOf, place, put } from "./dom.js";
import { say, send } from "./actions.js";
import { readPicture } from "./hand.js";

// What the camera sees goes into the field, where it can be put right before it counts.
async function countByCamera(seat, form) {
  say(t("seat.reading"));
  const { status, body } = await readPicture(`/api/count?seat=${seat}`, "");
  if (status !== 200) return say(t("setup.refused", { reason: reasonOf(body) }));
  form.elements.cards.value = body.cards.map((card) => card.card).join(" ");
  const faces = form.querySelector(".faces");
  faces.replaceChildren(...body.cards.map((card) => {
    const face = make("span", { className: "mini", role: "img", "aria-label": cardName(card.card) });
    face.innerHTML = cardSvg(card.card);
    return face;
  }));
  const held = counted("display.cards", body.expected);
  const note = body.complete ? "" : t("setup.count_differs", { cards: held });
  put(form.querySelector(".note"), `${counted("display.cards", body.cards.length)}, ${counted("display.points", body.points)}. ${note}`);
  say(form.querySelector(".note").textContent);
}

function handField(state, seat) {
  const name = nameOf(state, seat);
  const cards = make("input", { autocomplete: "off", name: "cards", spellcheck: false });
  const points = make("input", { type: "number", min: 0, max: 2000, name: "points" });
  const camera = make("button", { type: "button", className: "plain", textContent: t("setup.count_camera") });
  const form = make("form", { className: "row" },
    make("label", {}, t("setup.hand_of", { name }), " ", cards), make("label", {}, t("setup.points_of"), " ", points), camera,
    make("button", { textContent: t("setup.save_hand", { name }) }), make("div", { className: "faces" }), make("p", { className: "note soft" }));
  camera.setAttribute("aria-label", `${t("setup.count_camera")}: ${name}`);
  camera.addEventListener("click", () => countByCamera(seat, form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const held = cards.value.trim().toUpperCase().split(/[\s,]+/).filter(Boolean);
    const action = points.value !== "" ? { action: "points", seat, points: Number(points.value) } : { action: "hand", seat, cards: held };
    send(action, t("setup.hand_of", { name }));
  });
  return form;
}

// One form for each hand that is still to be counted; what was typed into the others stays.
export function showCounting(state) {
  const counting = state.phase === "counting";
  place("counting").hidden = !counting;
  const round = counting ? `${state.round}` : "";
  const area = place("hands");
  if (area.dataset.round !== round) area.replaceChildren();
  area.dataset.round = round;
  const open = counting ? state.uncounted : [];
  for (const form of [...area.children]) if (!open.includes(Number(form.dataset.seat))) form.remove();
  for (const seat of open) {
    if (area.querySelector(`[data-seat="${seat}"]`)) continue;
    const form = handField(state, seat);
    form.dataset.seat = seat;
    area.append(form);
  }
}
