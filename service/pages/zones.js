// The two piles on the camera's picture, moved by mouse, touch, keys, or by touching the place where one is to be.
import { post, reasonOf, t } from "./stream.js";
import { place, put } from "./dom.js";
import { isShown } from "./views.js";
import { call } from "./token.js";
import { say } from "./actions.js";

const SAVE = 350; // ms after the last movement
const STEP = 0.01; // of the picture, by an arrow key; five times that with Shift
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let found = null;
let dragged = null;
let waiting = 0;

const handles = () => [...document.querySelectorAll(".zone")];
const chosen = () => document.querySelector('[name="zone"]:checked').value;
const named = (zone) => t(`setup.zone_${zone}`);

function draw() {
  place("zone-tools").hidden = !found || place("preview").hidden;
  place("zones-about").hidden = place("zone-tools").hidden;
  for (const handle of handles()) {
    const zone = found && found[handle.dataset.zone];
    handle.hidden = !zone || place("preview").hidden;
    if (!zone) continue;
    handle.style.left = `${(100 * zone.x) / found.width}%`;
    handle.style.top = `${(100 * zone.y) / found.height}%`;
    handle.style.width = `${(150 * zone.card) / found.width}%`;
    handle.classList.toggle("by-hand", Boolean(zone.by_hand));
    handle.setAttribute("aria-label", `${named(handle.dataset.zone)}: ${whereabouts(zone)}`);
  }
}

const percent = (part) => Math.round(100 * part);
const whereabouts = (zone) => t("setup.zone_at", { x: percent(zone.x / found.width), y: percent(zone.y / found.height) });

function move(name, x, y, card) {
  const old = found[name] || { card: found.height / 4 };
  const zone = { ...old, x: Math.min(found.width, Math.max(0, x)), y: Math.min(found.height, Math.max(0, y)), by_hand: true };
  if (card) zone.card = Math.min(found.height, Math.max(found.height / 20, card));
  found[name] = zone;
  draw();
  if (!dragged) saveSoon(name);
}

function saveSoon(name) {
  clearTimeout(waiting);
  waiting = setTimeout(() => save(name), SAVE);
}

async function save(name, zone = found[name]) {
  waiting = 0;
  const wanted = zone && { x: Math.round(zone.x), y: Math.round(zone.y), card: Math.round(zone.card) };
  const { status, body } = await post("/api/zones", { [name]: wanted });
  if (status !== 200) return say(t("setup.refused", { reason: reasonOf(body) || t("not_connected") }));
  if (!dragged && !waiting) found = body;
  draw();
  put(place("zone-at"), zone ? `${named(name)}: ${whereabouts(zone)}` : `${named(name)}: ${t("setup.zone_by_itself")}`);
}

// Where a pointer is, px of the camera's picture.
function under(event) {
  const box = place("preview").getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * found.width, ((event.clientY - box.top) / box.height) * found.height];
}

function choose(name) {
  document.querySelector(`[name="zone"][value="${name}"]`).checked = true;
}

function onKey(event) {
  const name = event.currentTarget.dataset.zone;
  const zone = found[name];
  const [dx, dy] = ARROWS[event.key] || [0, 0];
  const larger = { "+": 1.1, "=": 1.1, "-": 1 / 1.1 }[event.key];
  if (larger) move(name, zone.x, zone.y, zone.card * larger);
  else if (dx || dy) {
    const step = STEP * found.width * (event.shiftKey ? 5 : 1);
    move(name, zone.x + dx * step, zone.y + dy * step);
  } else return;
  event.preventDefault();
}

function grip(handle) {
  handle.addEventListener("keydown", onKey);
  for (const own of ["mousedown", "dragstart"]) handle.addEventListener(own, (event) => event.preventDefault());
  handle.addEventListener("focus", () => choose(handle.dataset.zone));
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.focus();
    dragged = handle.dataset.zone;
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => dragged === handle.dataset.zone && event.buttons && move(dragged, ...under(event)));
  for (const end of ["pointerup", "pointercancel"]) {
    handle.addEventListener(end, () => {
      if (dragged && found[dragged].by_hand) saveSoon(dragged);
      dragged = null;
    });
  }
}

// Asks where the piles are, unless somebody is moving one just now.
export async function lookForZones() {
  if (!isShown("camera") || dragged || waiting) return draw();
  const answer = await call("/api/zones").catch(() => null);
  const told = answer && answer.ok ? await answer.json() : null;
  if (!dragged && !waiting) found = told;
  draw();
}

export function startZones() {
  handles().forEach(grip);
  place("preview").addEventListener("click", (event) => found && move(chosen(), ...under(event)));
  const resize = (factor) => found && found[chosen()] && move(chosen(), found[chosen()].x, found[chosen()].y, found[chosen()].card * factor);
  place("zone-larger").addEventListener("click", () => resize(1.1));
  place("zone-smaller").addEventListener("click", () => resize(1 / 1.1));
  place("zone-auto").addEventListener("click", () => found && save(chosen(), null));
}
