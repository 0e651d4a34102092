// Single letters for what people do all evening: the same as at the table's own keyboard, and only when they are asked for.
import { t } from "./stream.js";
import { place, put } from "./dom.js";
import { ask, send } from "./actions.js";
import { call, kept } from "./token.js";

const COLOURS = { red: "R", yellow: "Y", green: "G", blue: "B" };
const SHIFTED = { g: '[data-do="guilty"]', i: '[data-do="innocent"]' };
const BY_HAND = "x";

const commands = new Map();

// What `command` does on this page: the button that stands for it, a question, or the word itself.
function perform({ id, kind, name }) {
  const button = document.querySelector(COLOURS[id] ? `[data-colour="${COLOURS[id]}"]` : `[data-do="${id}"]`);
  if (button) button.click();
  else if (kind === "ask") ask(id);
  else send({ command: id }, name);
}

function onKey(event) {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && !["checkbox", "radio"].includes(event.target.type);
  if (!place("keys").checked || typing || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const key = event.key.toLowerCase();
  const shifted = event.shiftKey && SHIFTED[key];
  if (shifted) document.querySelector(shifted).click();
  else if (event.shiftKey) return;
  else if (key === BY_HAND) place("card").focus();
  else if (commands.has(key)) perform(commands.get(key));
  else return;
  event.preventDefault();
}

function showKeys() {
  place("keys-about").hidden = !place("keys").checked;
  const list = [...commands].map(([key, { name }]) => `${key.toUpperCase()} ${name}`);
  put(place("keys-about"), [...list, t("setup.shortcuts_about")].join(t("between")));
}

async function learn() {
  const answer = await call("/api/commands").catch(() => null);
  if (!answer || !answer.ok) return setTimeout(learn, 3000);
  for (const command of (await answer.json()).commands) {
    const letter = command.keys.find((key) => /^[a-z]$/.test(key));
    if (letter) commands.set(letter, command);
  }
  showKeys();
}

export function startKeys() {
  place("keys").checked = kept.get("tableref-keys") === "on";
  place("keys").addEventListener("change", () => {
    kept.set("tableref-keys", place("keys").checked ? "on" : "off");
    showKeys();
  });
  addEventListener("keydown", onKey);
  showKeys();
  learn();
}
