import type { Estimate } from "../../stats/estimate.js";

/** The model that labels prefer significantly, if win rate and difference agree. */
export interface PeoplesChoice {
  readonly preferred: "a" | "b" | null;
  readonly contradiction?: string;
}

/**
 * Combines two estimates from the same labels. Labels of two kinds, such as 0 and 1, ask one
 * question twice: their difference is the win rate less a half, doubled, so where one is significant
 * and the other not, or they point apart, neither is believed. Labels of more kinds ask two questions
 * (more often better; better on average), so only two significant answers that point apart are a
 * contradiction, and else the win rate decides.
 *
 * @param options.kinds how many different labels there are.
 */
export function peoplesChoice(
  { winRate, difference }: { readonly winRate: Estimate; readonly difference: Estimate },
  { kinds }: { readonly kinds: number },
): PeoplesChoice {
  const wins = { points: side(winRate, 0.5), claims: claim(winRate, 0.5) };
  const means = { points: side(difference, 0), claims: claim(difference, 0) };
  const chosen = wins.claims === 1 ? "a" : wins.claims === -1 ? "b" : null;
  const claims = Math.abs(wins.claims) + Math.abs(means.claims);
  if (kinds <= 2) {
    if (wins.points * means.points < 0) {
      return { preferred: null, contradiction: "they point to different models" };
    }
    return claims === 1
      ? { preferred: null, contradiction: "only one of them is significant" }
      : { preferred: chosen };
  }
  return wins.claims * means.claims < 0
    ? { preferred: null, contradiction: "they are significant for different models" }
    : { preferred: chosen };
}

/** To which side of `even` the estimate lies; what rounding makes of no difference lies to none. */
const side = ({ value }: Estimate, even: number) => {
  const off = (value ?? even) - even;
  return Math.abs(off) < 1e-9 ? 0 : Math.sign(off);
};

/** To which side of `even` its whole interval lies; 0 where it holds it, or there is none. */
const claim = ({ low, high }: Estimate, even: number) =>
  low !== null && low > even ? 1 : high !== null && high < even ? -1 : 0;
