// Plots as SVG, each with a table of the same numbers for those who do not see it. Lines differ in stroke and in the name
// at their end, not in colour alone. Knows numbers, not the game.
import { t } from "./stream.js";
import { make } from "./dom.js";

const W = 640;
const H = 300;
const LEFT = 40;
const RIGHT = 130;
const TOP = 14;
const BOTTOM = 34;
const NS = "http://www.w3.org/2000/svg";

function svg(tag, attributes = {}, text = null) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}

function canvas(title, height = H) {
  const plot = svg("svg", { viewBox: `0 0 ${W} ${height}`, class: "plot", role: "img" });
  plot.append(svg("title", {}, title));
  return plot;
}

// Round numbers from 0 to at least `most`, four or five of them.
function ticks(most) {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((factor) => factor * power >= rough) * power);
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, index) => index * step);
}

// Labels at the right ends, pushed apart so that none covers another.
function spread(places) {
  const order = places.map((y, index) => ({ y, index })).sort((one, other) => one.y - other.y);
  order.forEach((label, at) => { if (at) label.y = Math.max(label.y, order[at - 1].y + 15); });
  const over = order.length ? Math.max(0, order[order.length - 1].y - (H - 6)) : 0;
  return order.reduce((found, label) => { found[label.index] = label.y - over; return found; }, []);
}

// `lines`: one list of numbers for each of `names`; `labels`: what stands under the places along the lower edge.
export function linePlot(title, names, lines, labels, stepped = false) {
  const plot = canvas(title);
  const marks = ticks(Math.max(1, ...lines.flat()));
  const top = marks[marks.length - 1];
  const last = Math.max(1, labels.length - 1);
  const x = (index) => LEFT + ((W - LEFT - RIGHT) * index) / last;
  const y = (value) => H - BOTTOM - ((H - TOP - BOTTOM) * value) / top;
  for (const mark of marks) {
    plot.append(svg("line", { x1: LEFT, x2: W - RIGHT, y1: y(mark), y2: y(mark), class: "grid" }), svg("text", { x: LEFT - 8, y: y(mark) + 4, "text-anchor": "end", class: "axis" }, mark));
  }
  const every = Math.ceil(labels.length / 10);
  labels.forEach((label, index) => index % every === 0 && plot.append(svg("text", { x: x(index), y: H - 10, "text-anchor": "middle", class: "axis" }, label)));
  const ends = spread(lines.map((line) => y(line[line.length - 1] || 0) + 4));
  lines.forEach((line, index) => {
    const points = line.flatMap((value, at) => [...(stepped && at ? [`${x(at).toFixed(1)},${y(line[at - 1]).toFixed(1)}`] : []), `${x(at).toFixed(1)},${y(value).toFixed(1)}`]);
    plot.append(svg("polyline", { points: points.join(" "), class: `s${index % 10} d${index % 3}` }));
    if (!stepped) line.forEach((value, at) => plot.append(svg("circle", { cx: x(at), cy: y(value), r: 4.5, class: `s${index % 10}` })));
    plot.append(svg("text", { x: W - RIGHT + 10, y: ends[index] }, short(names[index], 14)));
  });
  return plot;
}

const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// One bar for each of `names`, with its number in words.
export function barPlot(title, names, values, words) {
  const plot = canvas(title, 34 * names.length + 12);
  const most = Math.max(...values, 0.001);
  names.forEach((name, index) => {
    const y = 8 + 34 * index;
    const width = Math.max(2, ((W - 260) * values[index]) / most);
    plot.append(svg("text", { x: 140, y: y + 19, "text-anchor": "end" }, short(name, 16)), svg("rect", { x: 150, y: y + 3, width, height: 22, rx: 5, class: `s${index % 10}` }), svg("text", { x: 158 + width, y: y + 19 }, words[index]));
  });
  return plot;
}

// The numbers of a plot, folded away.
export function numbers(heads, rows) {
  const head = make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", textContent: text }))));
  const body = make("tbody", {}, ...rows.map(([first, ...rest]) => make("tr", {}, make("th", { scope: "row", textContent: first }), ...rest.map((value) => make("td", { textContent: value })))));
  return make("details", {}, make("summary", { textContent: t("match.numbers") }), make("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": t("match.numbers") }, make("table", {}, head, body)));
}
