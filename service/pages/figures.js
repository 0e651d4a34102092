// What the plots of a match show, out of its steps. Knows the game, not how plots are drawn.

// Rounds that began, in order.
export const rounds = (steps) => [...new Set(steps.map((step) => step.round).filter(Boolean))];

// Rounds that were played to their end, in order.
export const ended = (steps) => rounds(steps).filter((round) => steps.some((step) => step.round === round && ["between", "over"].includes(step.phase)));

// The scores after each round that ended, from nothing on: one list for each seat.
export function scoresByRound(story) {
  const after = ended(story.steps).map((round) => story.steps.filter((step) => step.round === round).pop().scores);
  return story.players.map((_, seat) => [0, ...after.map((scores) => scores[seat])]);
}

// The hand of each seat after every event of `round`.
export function countsInRound(story, round) {
  const steps = story.steps.filter((step) => step.round === round && step.counts.length && step.phase !== "between");
  return story.players.map((_, seat) => steps.map((step) => step.counts[seat]));
}

// Seconds that each seat took for its turns: from when it was to act until it was another's turn.
export function turnSeconds(story) {
  const taken = story.players.map(() => []);
  let since = null;
  let seat = null;
  for (const step of story.steps) {
    if (step.turn !== seat) {
      if (seat && since !== null && step.seconds !== null) taken[seat - 1].push(step.seconds - since);
      [seat, since] = [step.turn, step.seconds];
    }
  }
  return taken;
}

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length ? (sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2) : 0;
}

// Seats from the best score to the worst; who is out by points comes last.
export function ranking(story) {
  const last = story.steps[story.steps.length - 1];
  const scores = last ? last.scores : story.players.map(() => 0);
  const winner = last ? last.match_winner : null;
  const better = story.mode === "elimination" ? 1 : -1;
  return story.players.map((name, index) => ({ seat: index + 1, name, score: scores[index] || 0 }))
    .sort((one, other) => (other.seat === winner) - (one.seat === winner) || better * (one.score - other.score) || one.seat - other.seat);
}
