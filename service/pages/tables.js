// Tables that become lists where they are too wide for their place: each row a block, each value with its heading.
import { make } from "./dom.js";

// A table of `heads` (texts) and `rows`, of which the first cell is the row's heading; cells are texts or elements.
export function table(heads, rows) {
  const head = make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads.map((text) => make("th", { scope: "col", role: "columnheader", textContent: text }))));
  const cell = (value, index) => (index
    ? make("td", { role: "cell", "data-head": heads[index] }, value)
    : make("th", { scope: "row", role: "rowheader", ...(typeof value === "number" ? { "data-head": heads[0] } : {}) }, value));
  const body = make("tbody", { role: "rowgroup" }, ...rows.map((row) => make("tr", { role: "row" }, ...row.map((value, index) => cell(typeof value === "number" ? String(value) : value, index)))));
  return make("table", { role: "table" }, head, body);
}

function fit(place) {
  const found = place.querySelector("table");
  if (!found || !place.clientWidth) return;
  stack(found, false);
  if (found.offsetWidth > place.clientWidth) stack(found, true);
}

function stack(found, stacked) {
  found.classList.toggle("stacked", stacked);
  found.tHead.classList.toggle("quiet", stacked);
}

const widths = new ResizeObserver((seen) => requestAnimationFrame(() => seen.forEach(({ target }) => fit(target))));

// Keeps the table inside `place` in the form that fits, now and whenever its room changes.
export function keepFitting(place) {
  widths.observe(place);
  fit(place);
}
