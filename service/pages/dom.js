// The few things that every page does with its elements.

export const place = (id) => document.getElementById(id);

// Signs that turn the writing direction of everything after them; no name needs them, and one could garble a whole line.
const TURNING = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
const plain = (text) => String(text).replace(TURNING, "");

export function put(element, text) {
  const wanted = plain(text);
  if (element.textContent !== wanted) element.textContent = wanted;
}

// A new element with properties and children; text stays text. `data-` and `aria-` names become attributes.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "role" || name.includes("-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// The name of a seat; where two are called the same, with its number.
export function nameOf(state, seat) {
  const name = state.players[seat - 1];
  if (!name) return `${seat}`;
  const shared = state.players.filter((other) => other.toLowerCase() === name.toLowerCase()).length > 1;
  return plain(shared ? `${name} (${seat})` : name);
}

// Fills a <select> with [value, text] pairs and keeps what was chosen, if it is still there.
export function choices(select, pairs, chosen = select.value) {
  const wanted = JSON.stringify(pairs);
  if (select.dataset.pairs === wanted) {
    if ([...select.options].some((option) => option.value === String(chosen))) select.value = String(chosen);
    return;
  }
  select.dataset.pairs = wanted;
  select.replaceChildren(...pairs.map(([value, text]) => make("option", { value: String(value), textContent: text })));
  if (pairs.some(([value]) => String(value) === String(chosen))) select.value = String(chosen);
}

export const seats = (state) => state.players.map((_, index) => [index + 1, nameOf(state, index + 1)]);

// Markup of our own drawing (never of what somebody wrote) put before a text.
export function iconAndText(element, svg, text, className = "") {
  const key = `${svg}${text}`;
  if (element.dataset.shown === key) return;
  element.dataset.shown = key;
  element.innerHTML = svg;
  if (text) element.append(make("span", { textContent: plain(text), className }));
}
