// Reading the own hand: a picture goes to the referee, its cards come back to this telephone alone and are forgotten when
// the page is left. The picture is made smaller here and loses everything else that a telephone writes into it.
import { cardName, counted, reasonOf, t } from "./stream.js";
import { cardSvg } from "./cards.js";
import { make, place, put } from "./dom.js";
import { call } from "./token.js";

const LONGEST = 2048; // px of the longer side that is sent

let me = 1;
let current = () => null;
let tell = () => {};
let perform = () => {};
let read = null;

// The picture of `file` upright and small enough, as JPEG.
async function smaller(file) {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = Math.min(1, LONGEST / Math.max(image.naturalWidth, image.naturalHeight));
    const canvas = make("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
  } finally {
    URL.revokeObjectURL(address);
  }
}

// The cards of `picture` as {status, body}; the same call counts a hand for the host.
export async function readPicture(path, picture) {
  try {
    const answer = await call(path, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: picture });
    return { status: answer.status, body: await answer.json().catch(() => ({})) };
  } catch {
    return { status: 0, body: { detail: t("not_connected") } };
  }
}

async function take() {
  const file = place("photo").files[0];
  if (!file) return;
  tell(t("seat.reading"));
  try {
    const { status, body } = await readPicture(`/api/read?seat=${me}`, await smaller(file));
    if (status === 200) showHand(body);
    else tell(t("setup.refused", { reason: reasonOf(body) }));
  } catch {
    tell(t("seat.no_picture"));
  }
  place("photo").value = "";
}

function cardRow(card) {
  const face = make("span", { className: "mini", "aria-hidden": "true" });
  face.innerHTML = cardSvg(card.card);
  const playable = card.playable === true;
  return make("li", { className: playable ? "playable" : "" }, face,
    make("span", { className: "card-name" }, `${cardName(card.card)} `, playable ? make("span", { className: "tag", textContent: t("seat.playable") }) : null));
}

function showHand(found) {
  const state = current();
  read = { ...found, top: state.top, colour: state.colour };
  const playable = found.cards.filter((card) => card.playable).length;
  put(place("hand-title"), `${t("seat.hand", { cards: counted("display.cards", found.cards.length) })}${playable ? ` ${t("seat.can_play", { n: playable })}` : ""}`);
  const held = state.counts[me - 1];
  const notes = [
    found.unsure ? t("seat.unsure", { n: found.unsure }) : "",
    held !== undefined && held !== found.cards.length ? t("seat.other_count", { cards: counted("display.cards", held) }) : "",
  ];
  put(place("hand-note"), notes.filter(Boolean).join(" "));
  place("cards").replaceChildren(...found.cards.map(cardRow));
  place("count").hidden = !mayCount(state);
  place("say-hand").hidden = !window.speechSynthesis;
  place("hand").hidden = false;
  tell("");
  place("hand-title").focus({ preventScroll: true });
  place("hand").scrollIntoView({ block: "start" });
  speak();
}

const mayCount = (state) => ((state.may || [])[me - 1] || []).some((one) => one.id === "hand");

// Spoken by this telephone, in the language of the page; the text stands there all the same.
function speak() {
  if (!window.speechSynthesis || !read) return;
  const cards = read.cards.map((card) => `${cardName(card.card)}${card.playable ? `, ${t("seat.playable")}` : ""}`);
  const utterance = new SpeechSynthesisUtterance([`${place("hand-title").textContent}.`, place("hand-note").textContent, `${cards.join(". ")}.`].join(" "));
  utterance.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}

// Telephones speak only after a touch: this one, before the picture is taken, opens the door.
function openSpeech() {
  if (window.speechSynthesis) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
}

function forget() {
  if (window.speechSynthesis) speechSynthesis.cancel();
  read = null;
  place("hand").hidden = true;
  place("cards").replaceChildren();
  for (const id of ["hand-title", "hand-note"]) put(place(id), "");
}

// What could be played holds for the card that lay on top then.
export function tableMoved(state) {
  if (!read) return;
  place("count").hidden = !mayCount(state);
  if (read.top === state.top && read.colour === state.colour) return;
  for (const tag of place("cards").querySelectorAll(".tag")) tag.remove();
  for (const row of place("cards").children) row.className = "";
  put(place("hand-title"), t("seat.hand", { cards: counted("display.cards", read.cards.length) }));
}

export function startHand(seat, state, say, act) {
  [me, current, tell, perform] = [seat, state, say, act];
  place("photo").addEventListener("change", take);
  place("photo").addEventListener("click", openSpeech);
  place("say-hand").addEventListener("click", speak);
  place("forget").addEventListener("click", () => { forget(); place("photo").focus(); });
  place("count").addEventListener("click", () => {
    const cards = read.cards.map((card) => card.card);
    perform({ action: "hand", seat: me, cards }, place("count").textContent, current().version);
    forget();
  });
  addEventListener("pagehide", forget);
  document.addEventListener("visibilitychange", () => document.hidden && forget());
}
