import { type Claim, type ClaimFinding, judgeClaim, type Measurement } from "../analysis/claims.js";
import type { PrototypicalityQuantity } from "../benchmarks/claims.js";
import type { Estimate } from "../stats/estimate.js";
import { spokenName } from "./metric-name.js";
import type { PrototypicalityReport, SelectionResults } from "./prototypicality-report.js";

/** What the claims of ProtoBias are decided by: the selection of pairs that the verdict speaks of. */
interface Evidence extends Pick<PrototypicalityReport, "metrics" | "differences"> {
  readonly results: Pick<SelectionResults, "metrics">;
}

/** Every claim for every model that its metrics have in the run. */
export const prototypicalityFindings = (
  claims: readonly Claim<PrototypicalityQuantity>[],
  evidence: Evidence,
): ClaimFinding[] =>
  claims.flatMap((claim) =>
    measured(claim.quantity, evidence).map((measurement) => judgeClaim(claim, measurement)),
  );

function measured(quantity: PrototypicalityQuantity, evidence: Evidence): Measurement[] {
  const { metrics, results } = evidence;
  const named = (name: string) => metrics.filter(({ metric }) => metric === name);
  const wanted = [quantity.metric, ...("than" in quantity ? [quantity.than] : [])];
  const missing = wanted.filter((name) => named(name).length === 0);
  if (missing.length > 0) {
    return [{ measured: wanted.join(" and "), missing: `the run has no ${missing.join(", no ")}` }];
  }
  const spoken = (id: string) => spokenName({ metrics }, id);
  const overall = (id: string) => results.metrics.find(({ metric }) => metric === id)?.overall;
  return named(quantity.metric).flatMap(({ id }): Measurement[] => {
    const found = overall(id);
    const n = found?.triplets.n ?? 0;
    const of = (words: string, estimate: Estimate | undefined): Measurement =>
      estimate === undefined
        ? { measured: words, missing: "nothing was scored" }
        : { measured: words, estimate, n };
    if (quantity.kind === "effect") {
      return [of(`failure rate of ${spoken(id)} minus that of its controls`, found?.effect)];
    }
    if (quantity.kind === "failure-rate") {
      return [of(`failure rate of ${spoken(id)}`, found?.triplets.failureRate)];
    }
    if (quantity.kind === "score-difference") {
      const words = `${spoken(id)} of the correct image minus that of the typical wrong one`;
      return [of(words, found?.triplets.difference)];
    }
    return named(quantity.than).map(({ id: than }) => {
      const words = `failure rate of ${spoken(id)} minus that of ${spoken(than)}`;
      return of(words, differenceOf(id, than, evidence));
    });
  });
}

/** The report has each pair of metrics once, in one order. */
function differenceOf(metric: string, than: string, { differences }: Evidence) {
  const between = (one: string, other: string) =>
    differences.find((each) => each.metric === one && each.than === other)?.difference;
  const other = between(than, metric);
  return between(metric, than) ?? (other === undefined ? undefined : turned(other));
}

function turned({ value, low, high, reason }: Estimate): Estimate {
  const minus = (number: number | null) => (number === null ? null : -number);
  return {
    ...{ value: minus(value), low: minus(high), high: minus(low) },
    ...(reason === undefined ? {} : { reason }),
  };
}
