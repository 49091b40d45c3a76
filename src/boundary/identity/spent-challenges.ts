// Challenges that were used, until they would have ended by themselves: whoever saw an answer cannot bring it again.
//
// Of this process: another instance would take it once more within those minutes, from somebody who read it inside TLS.
// What is over is forgotten when the next one comes; no timer runs. Keeps P7-S1.

import type { Instant } from "../../spine/model.ts";

const SPENT_MAX = 10_000;

/** False where it was used, or where more are used at once than people could. */
export const spentChallenges = (now: () => Instant): ((challenge: string, until: Instant) => boolean) => {
  const spent = new Map<string, Instant>();
  return (challenge, until) => {
    const at = now();
    for (const [one, end] of spent) if (end <= at) spent.delete(one);
    if (spent.has(challenge) || spent.size >= SPENT_MAX) return false;
    spent.set(challenge, until);
    return true;
  };
};
