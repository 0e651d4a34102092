// Language and voice of the table: every change takes hold at once.
import { post, reasonOf, t, texts } from "./stream.js";
import { choices, make, place, put } from "./dom.js";
import { call } from "./token.js";
import { say } from "./actions.js";

const languageName = (code) => (texts.language_names && texts.language_names[code]) || code;

function show(speaking) {
  choices(place("lang"), speaking.languages.map((code) => [code, languageName(code)]), speaking.lang);
  choices(place("level"), speaking.levels.map((level) => [level, t(`levels.${level}`)]), speaking.level);
  choices(place("voice"), [["", t("setup.voice_own")], ...(speaking.voices || []).map(({ id, name }) => [id, name])], speaking.voice || "");
  place("voice").closest("label").hidden = !(speaking.voices || []).length;
  for (const name of ["rate", "volume"]) place(name).value = String(speaking[name]);
  for (const name of ["mute", "earcons"]) place(name).checked = speaking[name];
  place("kinds").replaceChildren(...speaking.kinds.map((kind) => kindBox(kind, !speaking.silent.includes(kind))));
  showNumbers();
}

// One box for each kind of sentence that can be left to the displays.
function kindBox(kind, said) {
  const box = make("input", { type: "checkbox", name: "silent", value: kind, checked: said });
  return make("label", { className: "check" }, box, t(`kinds.${kind}`));
}

const silent = () => [...document.querySelectorAll('[name="silent"]')].filter((box) => !box.checked).map((box) => box.value);

function showNumbers() {
  put(place("rate-now"), t("setup.rate_now", { n: place("rate").value }));
  put(place("volume-now"), `${Math.round(100 * place("volume").value)} %`);
}

const VALUES = {
  lang: (field) => field.value, level: (field) => field.value, voice: (field) => field.value,
  rate: (field) => Number(field.value), volume: (field) => Number(field.value), mute: (field) => field.checked, earcons: (field) => field.checked,
  silent,
};

async function change(event) {
  const field = event.target;
  const { status, body } = await post("/api/speaking", { [field.name]: VALUES[field.name](field) });
  if (status !== 200) return say(t("setup.refused", { reason: status ? reasonOf(body) : t("not_connected") }));
  if (field.name === "lang") return location.reload();
  if (field.name !== "silent") show(body);
  say(t("setup.done", { action: [...field.labels[0].childNodes].map((part) => (part.nodeType === Node.TEXT_NODE ? part.textContent : "")).join("").trim() }));
}

export async function showSpeaking() {
  const answer = await call("/api/speaking").catch(() => null);
  place("speaking-part").hidden = !answer || !answer.ok;
  if (answer && answer.ok) show(await answer.json());
}

export function startSpeaking() {
  place("speaking").addEventListener("input", showNumbers);
  place("speaking").addEventListener("change", change);
  place("speaking").addEventListener("submit", (event) => event.preventDefault());
}
