// The host's page is several views, one at a time; the address names the one that is shown (/setup#camera).
import { place } from "./dom.js";

const links = () => [...document.querySelectorAll("nav [data-view]")];
const names = () => links().map((link) => link.dataset.view);
const opened = new Map();
let shown = "";

export const isShown = (name) => shown === name;

// Calls `action` whenever the view `name` comes up.
export function onView(name, action) {
  opened.set(name, action);
}

export function showView(name) {
  if (shown === name) return;
  shown = name;
  for (const view of document.querySelectorAll(".view")) view.hidden = view.dataset.view !== name;
  for (const link of links()) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (opened.has(name)) opened.get(name)();
}

const wanted = () => location.hash.slice(1);

// Without a view in the address a match brings its table, no match the form for one.
let chosen = names().includes(wanted());
export function homeView(hasMatch) {
  if (!chosen) showView(hasMatch ? "table" : "new");
}

export function goTo(name) {
  if (location.hash === `#${name}`) showView(name);
  else location.hash = name;
}

export function startViews() {
  history.scrollRestoration = "manual";
  addEventListener("hashchange", () => {
    if (!names().includes(wanted())) return;
    chosen = true;
    showView(wanted());
    place("main").focus({ preventScroll: true });
    scrollTo(0, 0); // nothing of the part lies beneath the header, the alarm before it neither
  });
  if (chosen) showView(wanted());
}
