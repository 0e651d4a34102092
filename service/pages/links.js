// Codes for telephones and screens, and the address of the overlay.
import { t } from "./stream.js";
import { make, nameOf, place, put } from "./dom.js";
import { call, pictureAt } from "./token.js";

let current = () => null;
let overlay = "/overlay";

// A code that no telephone could follow is not drawn.
async function code(name, title, url, reachable) {
  const address = reachable ? await pictureAt(`/api/qr/${name}.svg`) : null;
  const picture = address && make("img", { src: address, alt: t("setup.code_of", { name: title }), width: 220, height: 220 });
  const link = make("a", { href: url, target: name, textContent: url.replace(/#.*/, "") });
  return make("li", {}, make("strong", { className: "who", dir: "auto", textContent: title }), picture, link);
}

async function showLinks() {
  const answer = await call("/api/links").catch(() => null);
  if (!answer || !answer.ok) return put(place("links-about"), t("not_connected"));
  const links = await answer.json();
  place("print").hidden = !links.lan;
  put(place("links-about"), t(links.lan ? "setup.links_about" : "setup.links_closed"));
  const state = current();
  const seats = links.seats.slice(0, state && state.players.length ? state.players.length : 4);
  const seatTitle = (seat) => `${seat}. ${state && state.players.length ? nameOf(state, seat) : t("setup.seat")}`;
  const codes = [
    ...seats.map(({ seat, url }) => code(`seat-${seat}`, seatTitle(seat), url, links.lan)),
    code("display", t("home_display"), links.display, links.lan), code("host", t("setup.heading"), links.host, links.lan),
  ];
  place("links").replaceChildren(...(await Promise.all(codes)));
  overlay = links.overlay;
  showOverlay();
}

function showOverlay() {
  const [address, fragment] = new URL(overlay, location.href).href.split("#");
  const asks = new URLSearchParams({ layout: place("overlay-layout").value, side: place("overlay-side").value, scale: place("overlay-scale").value || "1" });
  const link = place("overlay-link");
  link.href = `${address}?${asks}${fragment ? `#${fragment}` : ""}`;
  put(link, `${address}?${asks}`);
}

export function startLinks(state) {
  current = state;
  place("overlay").addEventListener("input", showOverlay);
  place("overlay").addEventListener("submit", (event) => event.preventDefault());
  place("print").addEventListener("click", () => print());
  return showLinks;
}
