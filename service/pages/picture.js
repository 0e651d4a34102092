// A picture of a match to pass on: who played, who won, with how many points. Drawn here, sent nowhere.
import { counted, t } from "./stream.js";
import { make, nameOf } from "./dom.js";

const W = 1200;
const H = 675;
const TYPE = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

// Writes `text` no wider than `most`, in smaller letters where need be.
function write(pen, text, x, y, size, weight, most) {
  let px = size;
  do pen.font = `${weight} ${px}px ${TYPE}`;
  while (pen.measureText(text).width > most && (px -= 2) > 12);
  pen.fillText(text, x, y, most);
}

function signs(pen) {
  const paint = (colour, path) => { pen.fillStyle = colour; pen.beginPath(); path(); pen.fill(); };
  paint("#c4161c", () => pen.arc(70, 70, 20, 0, 2 * Math.PI));
  paint("#3d8be0", () => pen.rect(104, 52, 36, 36));
  paint("#3fae49", () => { pen.moveTo(176, 48); pen.lineTo(198, 90); pen.lineTo(154, 90); });
  paint("#ffd21f", () => { for (let i = 0; i < 10; i += 1) pen.lineTo(234 + (i % 2 ? 10 : 23) * Math.sin((Math.PI * i) / 5), 70 - (i % 2 ? 10 : 23) * Math.cos((Math.PI * i) / 5)); });
}

// The canvas with the match on it.
export function drawMatch(story, ranks) {
  const canvas = make("canvas", { width: W, height: H });
  const pen = canvas.getContext("2d");
  const last = story.steps[story.steps.length - 1];
  pen.fillStyle = "#15141a";
  pen.fillRect(0, 0, W, H);
  signs(pen);
  pen.fillStyle = "#f5f4f8";
  const title = last && last.match_winner ? t("display.winner", { name: nameOf(story, last.match_winner) }) : t("setup.match_number", { n: story.match });
  write(pen, title, 48, 190, 84, 800, W - 96);
  const half = ranks.length > 5;
  const [width, space] = half ? [(W - 120) / 2, 78] : [W - 96, 78];
  ranks.forEach(({ seat, score }, index) => {
    const column = half && index >= Math.ceil(ranks.length / 2) ? 1 : 0;
    const x = 48 + column * (width + 24);
    const y = 236 + (index - column * Math.ceil(ranks.length / 2)) * space;
    pen.fillStyle = index ? "#25252f" : "#ffd21f";
    pen.fillRect(x, y, width, 64);
    pen.fillStyle = index ? "#f5f4f8" : "#000";
    write(pen, `${index + 1}.  ${nameOf(story, seat)}`, x + 20, y + 45, 36, 700, width - 240);
    pen.textAlign = "right";
    write(pen, counted("display.points", score), x + width - 20, y + 45, 34, 600, 200);
    pen.textAlign = "left";
  });
  pen.fillStyle = "#b9b7c4";
  const day = new Date(story.began);
  write(pen, `${t("product")}${Number.isNaN(day.getTime()) ? "" : `, ${day.toLocaleDateString(document.documentElement.lang, { dateStyle: "long" })}`}`, 48, H - 24, 24, 500, W - 96);
  return canvas;
}

export function savePicture(story, ranks) {
  drawMatch(story, ranks).toBlob((picture) => {
    const address = URL.createObjectURL(picture);
    make("a", { href: address, download: `match-${story.match}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }, "image/png");
}
