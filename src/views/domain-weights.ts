import { listText } from "../core/phrases.js";
import type { Estimate } from "../stats/estimate.js";
import { fixedText } from "./number-text.js";

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
