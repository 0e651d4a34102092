// The stored matches: what came of each, its pages and files.
import { t } from "./stream.js";
import { make, place, put } from "./dom.js";
import { call } from "./token.js";
import { say } from "./actions.js";

const FORMATS = ["trn", "json", "csv"];

// A file that needs the token comes by fetch and is handed to the browser as a download.
async function download(event, number, format) {
  event.preventDefault();
  const answer = await call(event.currentTarget.href).catch(() => null);
  if (!answer || !answer.ok) return say(t("setup.refused", { reason: t("not_connected") }));
  const address = URL.createObjectURL(await answer.blob());
  make("a", { href: address, download: `match-${number}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function fileLink(number, format) {
  const link = make("a", { href: `/api/matches/${number}.${format}`, textContent: `.${format}`, "aria-label": t("setup.download_as", { n: number, format }) });
  link.addEventListener("click", (event) => download(event, number, format));
  return link;
}

function result(match, current) {
  if (match.winner) return t("display.winner", { name: match.players[match.winner - 1] });
  return match.id === current ? t("setup.current") : t("setup.unfinished");
}

function row(match, current) {
  const began = new Date(match.began).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const names = match.players.map((name, index) => (match.scores && match.scores.length ? `${name} ${match.scores[index]}` : name)).join(t("between"));
  return make("tr", {},
    make("th", { scope: "row" }, make("a", { href: `/match/${match.id}`, textContent: t("setup.match_number", { n: match.id }) })),
    make("td", { textContent: began }), make("td", { textContent: names }), make("td", { textContent: result(match, current) }),
    make("td", { className: "files" }, ...FORMATS.map((format) => fileLink(match.id, format))));
}

export async function showMatches() {
  const answer = await call("/api/matches").catch(() => null);
  if (!answer || !answer.ok) return;
  const { matches, current } = await answer.json();
  const heads = ["setup.match_one", "setup.began", "setup.players_scores", "setup.result", "setup.download"];
  const head = make("thead", {}, make("tr", {}, ...heads.map((key) => make("th", { scope: "col", textContent: t(key) }))));
  const table = place("matches");
  if (matches.length) table.replaceChildren(head, make("tbody", {}, ...matches.reverse().map((match) => row(match, current))));
  else put(table, t("setup.no_matches"));
}
