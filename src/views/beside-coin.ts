import { listText } from "../core/phrases.js";
import type { Estimate } from "../stats/estimate.js";
import { fixedText } from "./number-text.js";

/** How a rate of failures stands beside that of a coin: more often wrong, less often, or neither is known. */
export type CoinStanding = "more" | "less" | "untold";

const titles: Readonly<Record<CoinStanding, string>> = {
  more: "More often wrong than a coin",
  less: "Less often wrong than a coin",
  untold: "Not significantly different from chance",
};

/** @param isEnough whether there are prompts enough to go by an interval; a one-sided bound counts them. */
export function coinStanding({ low, high, oneSided }: Estimate, isEnough: boolean): CoinStanding {
  const ends = oneSided ?? (isEnough ? { low, high } : { low: null, high: null });
  if (ends.low !== null && ends.low > 0.5) return "more";
  return ends.high !== null && ends.high < 0.5 ? "less" : "untold";
}

/** A sentence for each standing, with those who stand so as `said` names them. */
export const besideCoin = (
  all: readonly { readonly share: Estimate; readonly said: string }[],
  isEnough: boolean,
): string[] =>
  (["more", "less", "untold"] as const).flatMap((standing) => {
    const its = all.filter(({ share }) => coinStanding(share, isEnough) === standing);
    return its.length === 0
      ? []
      : [`${titles[standing]}: ${listText(its.map(({ said }) => said))}.`];
  });

/** ", 3 domains pooled": how an overall figure weights domains; nothing where there is one. */
export const pooledText = (domains: readonly string[]): string =>
  domains.length < 2 ? "" : `, ${domains.length} domains pooled`;

/**
 * The rates that pool all rows, so that a domain counts by its rows, once more with equal weight for
 * each domain. Undefined where there is one domain.
 *
 * @param what what is pooled, in the plural
 */
export function equalWeightsText(
  domains: readonly string[],
  rates: readonly { readonly name: string; readonly mean: Estimate }[],
  what: string,
): string | undefined {
  if (domains.length < 2 || rates.length === 0) return undefined;
  const means = rates.map(({ name, mean: { value, reason } }) =>
    value === null
      ? `${name} undefined (${reason ?? "no scores"})`
      : `${name} ${fixedText(100 * value, 1)} %`,
  );
  return `Rates pool the ${what} of ${listText(domains)}; with equal weight for each domain: ${listText(means)}.`;
}
