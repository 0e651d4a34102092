// Who this page is to the referee, and so what it may offer.
import { call } from "./token.js";

const AGAIN = 1000; // ms

// {role, seat, ...} of the one who asks; whoever is refused is nobody. Asked again until somebody answers.
export async function me() {
  for (;;) {
    const answer = await call("/api/me").catch(() => null);
    if (answer && answer.ok) return answer.json();
    if (answer && [401, 403].includes(answer.status)) return { role: "nobody", seat: null };
    await new Promise((done) => setTimeout(done, AGAIN));
  }
}
