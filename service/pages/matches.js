// The stored matches: what came of each, its pages and files.
import { t } from "./stream.js";
import { make, place, put } from "./dom.js";
import { keepFitting, table } from "./tables.js";
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
  const title = make("a", { href: `/match/${match.id}`, textContent: t("setup.match_number", { n: match.id }) });
  return [title, began, names, result(match, current), make("span", { className: "files" }, ...FORMATS.map((format) => fileLink(match.id, format)))];
}

export async function showMatches() {
  const answer = await call("/api/matches").catch(() => null);
  if (!answer || !answer.ok) return;
  const { matches, current } = await answer.json();
  const heads = ["setup.match_one", "setup.began", "setup.players_scores", "setup.result", "setup.download"].map((key) => t(key));
  const area = place("matches");
  if (!matches.length) return put(area, t("setup.no_matches"));
  area.replaceChildren(table(heads, matches.reverse().map((match) => row(match, current))));
  keepFitting(area);
}
