// Plots as SVG, as wide as their place, each with a table of the same numbers for those who do not see it. Lines differ in
// stroke and in the number at their end, not in colour alone. Knows numbers, not the game.
import { t } from "./stream.js";
import { make } from "./dom.js";
import { keepFitting, table } from "./tables.js";

const H = 300;
const LEFT = 40;
const RIGHT = 34;
const TOP = 14;
const BOTTOM = 34;
const NARROWEST = 240;
const NS = "http://www.w3.org/2000/svg";

function svg(tag, attributes = {}, text = null) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}

function canvas(title, width, height = H) {
  const plot = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img" });
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

// `lines`: one list of numbers for each seat; `labels`: what stands under the places along the lower edge.
function linePlot(title, lines, labels, stepped, width) {
  const plot = canvas(title, width);
  const marks = ticks(Math.max(1, ...lines.flat()));
  const top = marks[marks.length - 1];
  const last = Math.max(1, labels.length - 1);
  const x = (index) => LEFT + ((width - LEFT - RIGHT) * index) / last;
  const y = (value) => H - BOTTOM - ((H - TOP - BOTTOM) * value) / top;
  for (const mark of marks) {
    plot.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(mark), y2: y(mark), class: "grid" }), svg("text", { x: LEFT - 8, y: y(mark) + 4, "text-anchor": "end", class: "axis" }, mark));
  }
  const every = Math.ceil((labels.length * 40) / (width - LEFT - RIGHT));
  labels.forEach((label, index) => index % every === 0 && plot.append(svg("text", { x: x(index), y: H - 10, "text-anchor": "middle", class: "axis" }, label)));
  const ends = spread(lines.map((line) => y(line[line.length - 1] || 0) + 4));
  lines.forEach((line, index) => {
    const points = line.flatMap((value, at) => [...(stepped && at ? [`${x(at).toFixed(1)},${y(line[at - 1]).toFixed(1)}`] : []), `${x(at).toFixed(1)},${y(value).toFixed(1)}`]);
    plot.append(svg("polyline", { points: points.join(" "), class: stroke(index) }));
    if (!stepped) line.forEach((value, at) => plot.append(svg("circle", { cx: x(at), cy: y(value), r: 4.5, class: `s${index % 10}` })));
    plot.append(svg("text", { x: width - RIGHT + 8, y: ends[index] }, index + 1));
  });
  return plot;
}

const stroke = (index) => `s${index % 10} d${index % 3}`;

// One bar for each seat with a value, with its number in words.
function barPlot(title, values, words, width) {
  const plot = canvas(title, width, 34 * values.length + 12);
  const most = Math.max(...values, 0.001);
  values.forEach((value, index) => {
    const y = 8 + 34 * index;
    const long = value === null ? 0 : Math.max(2, ((width - 130) * value) / most);
    plot.append(svg("text", { x: 22, y: y + 19, "text-anchor": "end" }, index + 1), svg("rect", { x: 32, y: y + 3, width: long, height: 22, rx: 5, class: `s${index % 10}` }), svg("text", { x: 40 + long, y: y + 19 }, words[index]));
  });
  return plot;
}

// Which number and which stroke is whose.
function legend(names, sample) {
  return make("ol", { className: "legend" }, ...names.map((name, index) => {
    const stands = svg("svg", { viewBox: "0 0 34 12", class: "plot sample", "aria-hidden": "true" });
    stands.append(sample(index));
    return make("li", {}, stands, make("span", { className: "number", textContent: index + 1 }), make("span", { className: "who", dir: "auto", textContent: name }));
  }));
}

const line = (index) => svg("polyline", { points: "1,6 33,6", class: stroke(index) });
const bar = (index) => svg("rect", { x: 1, y: 0, width: 32, height: 12, rx: 3, class: `s${index % 10}` });

// The numbers of a plot, folded away.
function numbers(heads, rows) {
  const frame = make("div", { className: "numbers" }, table(heads, rows));
  const folded = make("details", {}, make("summary", { textContent: t("match.numbers") }), frame);
  keepFitting(frame);
  return folded;
}

const shown = new WeakMap();
const wide = (area) => Math.max(NARROWEST, area.clientWidth);
const redraw = new ResizeObserver((seen) => requestAnimationFrame(() => seen.forEach(({ target }) => draw(target))));

function draw(area) {
  const { plot, width } = shown.get(area) || {};
  if (!plot || width === wide(area)) return;
  shown.set(area, { plot, width: wide(area) });
  area.firstElementChild.replaceWith(plot(wide(area)));
}

// Fills `area` with a plot drawn anew for each width, whose it is, and its numbers, which stay open if they were.
function showPlot(area, plot, names, sample, heads, rows) {
  const open = Boolean(area.querySelector("details[open]"));
  shown.set(area, { plot, width: wide(area) });
  area.replaceChildren(plot(wide(area)), legend(names, sample), numbers(heads, rows));
  area.querySelector("details").open = open;
  redraw.observe(area);
}

// What stands there while there is nothing to draw.
export function showNothing(area, text) {
  shown.delete(area);
  area.replaceChildren(make("p", { className: "soft", textContent: text }));
}

export function showLines(area, { title, names, lines, labels, stepped = false, heads, rows }) {
  showPlot(area, (width) => linePlot(title, lines, labels, stepped, width), names, line, heads, rows);
}

export function showBars(area, { title, names, values, words, heads, rows }) {
  showPlot(area, (width) => barPlot(title, values, words, width), names, bar, heads, rows);
}
