// The few things that every page does with its elements.

export const place = (id) => document.getElementById(id);

export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A new element with properties and children; text stays text.
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export const nameOf = (state, seat) => state.players[seat - 1] || `${seat}`;

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

export const seats = (state) => state.players.map((name, index) => [index + 1, name]);
