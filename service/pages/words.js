// The state of the table in the words of a page, for everything that shows it.
import { cardName, colourName, counted, t, texts } from "./stream.js";
import { nameOf } from "./dom.js";

// The small line and the big one: who is meant now.
export function headline(state) {
  if (!state.players.length) return ["", t("display.no_match")];
  if (state.match_winner) return [t("display.match_over"), winner(state)];
  if (state.pending && state.pending.seat) return [t("question"), nameOf(state, state.pending.seat)];
  if (state.turn) return [t("display.turn"), nameOf(state, state.turn)];
  if (state.round_winner) return [t("display.wins_round"), nameOf(state, state.round_winner)];
  if (state.phase === "playing") return [t("display.round", { n: state.round }), t("display.start")];
  return [t("display.between_rounds"), t("display.waiting")];
}

export function winner(state) {
  const first = nameOf(state, state.match_winner);
  if (state.mode !== "teams") return t("display.winner", { name: first });
  return t("display.team_winner", { name: first, partner: nameOf(state, ((state.match_winner + 1) % 4) + 1) });
}

// What is asked of the table now, or nothing.
export function asked(state) {
  if (!state.players.length) return t("display.no_match_about");
  if (state.question) return state.question;
  if (state.phase === "counting") {
    return t("display.counting_of", { names: state.uncounted.map((seat) => nameOf(state, seat)).join(t("between")) });
  }
  if (state.phase === "between" && state.next_dealer) return t("display.next_deal", { name: nameOf(state, state.next_dealer) });
  return "";
}

// What the last event was told with: the sentences back to the one that said whose turn it was, without those that the
// big name and the question say already, and without what was said in another language than that of the page.
export function happened(state) {
  const isNext = (caption) => /^(turn|question|answer)\b/.test(caption.topic);
  const captions = state.captions.filter((caption) => caption.lang === document.documentElement.lang);
  while (captions.length && isNext(captions[captions.length - 1])) captions.pop();
  const start = captions.map(isNext).lastIndexOf(true) + 1;
  return captions.slice(start).slice(-3).map((caption) => caption.text).join(" ");
}

// The seat that is looked at: it answers or it plays.
export const actor = (state) => (state.pending && state.pending.seat ? state.pending.seat : state.turn);

// The one sign that a seat carries, and its tone: the most pressing comes first.
export function flag(state, seat) {
  const wins = [state.match_winner, state.round_winner].includes(seat);
  if (state.catchable === seat) return [t("display.catchable"), "alarm"];
  if (wins) return [t(state.match_winner === seat ? "display.wins_match" : "display.wins_round"), "alarm"];
  if ((state.out || []).includes(seat)) return [t("display.out"), "plain"];
  if (state.pending && state.pending.seat === seat) return [t("display.asked"), "acting"];
  if (state.turn === seat) return [t("display.plays"), "acting"];
  if (state.counts && state.counts[seat - 1] === 1) return [t("display.uno"), "alarm"];
  if (state.dealer === seat) return [t("display.dealer"), "plain"];
  return ["", ""];
}

// The agreed house rule `number` of a Customizable card, as a button is called that chooses it.
export function houseRule(state, number) {
  const { kind, cards, text } = (state.custom || [])[number - 1] || {};
  if (!kind) return t("seat.choose_rule", { n: number });
  if (kind === "dare") return text ? t("effect.dare", { text }) : t("effect.any_dare");
  return t(`effect.${kind}`, { cards: counted("display.cards", cards) });
}

export const cardsOf = (state, seat) => (state.counts && state.counts.length ? counted("display.cards", state.counts[seat - 1]) : "");
export const pointsOf = (state, seat) => counted("display.points", state.scores[seat - 1] || 0);
export const directionOf = (state) => (state.direction && state.top ? t(state.direction === 1 ? "display.clockwise" : "display.counter_clockwise") : "");
export const targetOf = (state) => (state.players.length ? t(state.mode === "elimination" ? "display.target_elimination" : "display.target", { n: state.target }) : "");

// What one event was, in words: of the seat that it names, if it names one.
export function meaning({ action, card, colour, named, seat, caught, in_vain }, state) {
  const plain = card && action !== "start" ? "" : texts.acts[action] || "";
  const act = caught ? t(in_vain ? "acts.catch_in_vain" : "acts.catch_of", { name: nameOf(state, caught) }) : plain;
  const called = named === undefined ? colour : named;
  const what = [act, card ? cardName(card) : "", called ? colourName(called) : ""].filter(Boolean).join(t("between"));
  return seat ? `${nameOf(state, seat)}: ${what}` : what;
}
