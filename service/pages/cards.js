// Card faces as SVG, drawn here: colour field, glyph, and the shape that stands for the colour. Knows faces, not the game.

export const SHAPES = { R: "circle", B: "square", G: "triangle", Y: "star" };
export const FILLS = { R: "#c4161c", B: "#0b57a4", G: "#3fae49", Y: "#ffd21f" };
export const INKS = { R: "#ffffff", B: "#ffffff", G: "#000000", Y: "#000000" };
const WILD = { fill: "#17191d", ink: "#ffffff" };

const star = (x, y, r) => {
  const points = [];
  for (let i = 0; i < 10; i += 1) {
    const radius = i % 2 ? r * 0.45 : r;
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    points.push(`${(x + radius * Math.cos(angle)).toFixed(1)},${(y + radius * Math.sin(angle)).toFixed(1)}`);
  }
  return `<polygon points="${points.join(" ")}"/>`;
};

// The shape of `colour` around (x, y), about 2r across; no fill of its own.
export function shape(colour, x, y, r) {
  switch (SHAPES[colour]) {
    case "circle": return `<circle cx="${x}" cy="${y}" r="${r}"/>`;
    case "square": return `<rect x="${x - r * 0.9}" y="${y - r * 0.9}" width="${r * 1.8}" height="${r * 1.8}" rx="${r * 0.12}"/>`;
    case "triangle": return `<polygon points="${x},${y - r * 1.05} ${x + r * 1.1},${y + r * 0.85} ${x - r * 1.1},${y + r * 0.85}"/>`;
    case "star": return star(x, y, r * 1.15);
    default: return "";
  }
}

// A small stand-alone SVG of a colour's shape; it takes the colour of the text around it.
export function shapeIcon(colour) {
  return `<svg class="shape" viewBox="0 0 24 24" aria-hidden="true" fill="currentColor">${shape(colour, 12, 12, 9)}</svg>`;
}

const letters = (text, x, y, size) =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="middle" class="glyph">${text}</text>`;

const skip = (x, y, r) => `<g fill="none" stroke="currentColor" stroke-width="${r * 0.32}">
  <circle cx="${x}" cy="${y}" r="${r * 0.84}"/><path d="M${x - r * 0.58} ${y + r * 0.58}L${x + r * 0.58} ${y - r * 0.58}"/></g>`;

const arrow = "M0 -14 L34 -14 L34 -34 L74 0 L34 34 L34 14 L0 14 Z";
const reverse = (x, y, r) => `<g transform="translate(${x} ${y}) scale(${r / 62}) rotate(-45)">
  <path transform="translate(-34 -27)" d="${arrow}"/><path transform="translate(34 27) rotate(180)" d="${arrow}"/></g>`;

const sheet = (x, y, w, fill, ink) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${w * 1.5}" rx="${w * 0.14}" fill="${fill}" stroke="${ink}" stroke-width="${w * 0.09}"/>`;

const drawFour = (x, y, r, ink) => {
  const places = [["B", -0.98, -0.2], ["G", -0.5, -0.85], ["R", -0.12, -0.1], ["Y", 0.36, -0.78]];
  return places.map(([colour, dx, dy]) => sheet(x + r * dx, y + r * dy, r * 0.62, FILLS[colour], ink)).join("");
};

const wheel = (x, y, r, ink) => {
  const quarter = { R: [-1, -1], B: [1, -1], Y: [-1, 1], G: [1, 1] };
  const parts = Object.entries(quarter).map(([colour, [dx, dy]]) => {
    const sweep = dx * dy > 0 ? 1 : 0;
    const field = `<path fill="${FILLS[colour]}" d="M${x} ${y}L${x + dx * r} ${y}A${r} ${r} 0 0 ${sweep} ${x} ${y + dy * r}Z"/>`;
    return `${field}<g fill="${INKS[colour]}">${shape(colour, x + dx * r * 0.42, y + dy * r * 0.42, r * 0.17)}</g>`;
  });
  return `${parts.join("")}<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${ink}" stroke-width="${r * 0.08}"/>`;
};

const hands = (x, y, r) => `<g fill="none" stroke="currentColor" stroke-width="${r * 0.17}" stroke-linecap="round" stroke-linejoin="round">
  <path d="M${x - r * 0.8} ${y - r * 0.28}H${x + r * 0.72}m${-r * 0.34} ${-r * 0.34}l${r * 0.34} ${r * 0.34}l${-r * 0.34} ${r * 0.34}"/>
  <path d="M${x + r * 0.8} ${y + r * 0.42}H${x - r * 0.72}m${r * 0.34} ${-r * 0.34}l${-r * 0.34} ${r * 0.34}l${r * 0.34} ${r * 0.34}"/></g>`;

const pencil = (x, y, r) => `<g transform="translate(${x} ${y}) rotate(45) scale(${r / 60})">
  <rect x="-12" y="-58" width="24" height="82" rx="5"/><path d="M-12 30 H12 L0 56 Z"/></g>`;

// The picture in the middle of a face and the short sign in its corners.
function glyphs(rank, ink) {
  const middle = {
    S: () => skip(100, 150, 58), R: () => reverse(100, 150, 62), D: () => letters("+2", 100, 182, 88),
    W: () => wheel(100, 150, 68, ink), W4: () => drawFour(100, 112, 74, ink) + letters("+4", 100, 252, 84), WS: () => hands(100, 146, 72), WC: () => pencil(100, 150, 72),
  };
  const corner = {
    S: () => skip(33, 40, 15), R: () => reverse(33, 40, 17), D: () => letters("+2", 38, 52, 32), W: () => wheel(33, 40, 16, ink),
    W4: () => "", WS: () => hands(33, 40, 18), WC: () => pencil(33, 40, 18),
  };
  const number = rank === "6" || rank === "9";
  const digit = (x, y, size) => letters(rank, x, y, size)
    + (number ? `<rect x="${x - size * 0.27}" y="${y + size * 0.08}" width="${size * 0.54}" height="${size * 0.075}"/>` : "");
  return [(middle[rank] || (() => digit(100, 198, 138)))(), (corner[rank] || (() => digit(33, 54, 42)))()];
}

function back() {
  return `<rect x="12" y="12" width="176" height="276" rx="14" fill="#20252c"/>
    <g fill="none" stroke="#8d99a8" stroke-width="5"><rect x="28" y="28" width="144" height="244" rx="10"/>
    <path d="M28 150 100 28 172 150 100 272Z"/><path d="M64 150 100 89 136 150 100 211Z"/></g>`;
}

// `card` as in the record ("R7", "W4", "??" or null for a card nobody saw); `label` is its spoken name.
export function cardSvg(card, label = "") {
  const known = card && card !== "??";
  const coloured = known && card[0] in FILLS;
  const { fill, ink } = coloured ? { fill: FILLS[card[0]], ink: INKS[card[0]] } : WILD;
  let inside = back();
  if (known) {
    const [middle, corner] = glyphs(coloured ? card.slice(1) : card, ink);
    const sign = `<g>${corner}${coloured ? shape(card[0], 33, 78, 10) : ""}</g>`;
    inside = `<rect x="12" y="12" width="176" height="276" rx="14" fill="${fill}"/>
      <g color="${ink}" fill="${ink}">
        ${coloured ? `<g opacity="0.2">${shape(card[0], 100, card[0] === "G" ? 158 : 150, 76)}</g>` : ""}
        ${middle}${sign}<g transform="rotate(180 100 150)">${sign}</g></g>`;
  }
  return `<svg class="card" viewBox="0 0 200 300" role="img">${label ? "<title></title>" : ""}
    <rect x="1.5" y="1.5" width="197" height="297" rx="22" fill="#fdfdfb" stroke="#00000055" stroke-width="2"/>${inside}</svg>`;
}

// Puts the face of `card` into `place`; the name goes in as text, never as markup.
export function showCard(place, card, label) {
  if (place.dataset.card === String(card)) return;
  place.dataset.card = String(card);
  place.innerHTML = cardSvg(card, label);
  const title = place.querySelector("title");
  if (title) title.textContent = label;
}
