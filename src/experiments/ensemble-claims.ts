import { z } from "zod";
import { type Claim, type ClaimFinding, judgeByInterval } from "../analysis/inference/claims.js";
import { loadData } from "../benchmarks/load-data.js";
import type { Objective } from "../ensembles/weight-problem.js";
import { benjaminiYekutieli } from "../stats/benjamini-yekutieli.js";
import type { HeldOutConclusion } from "./ensemble-experiment-held-out.js";
import { methodName, metricNames } from "./ensemble-experiment-names.js";
import { heldOutMetrics } from "./ensemble-experiment-resampled.js";

const methods = ["standard", "best", "average", "bpe", "mmb", "bpe-alike"] as const;

const claimsSchema = z.strictObject({
  paper: z.string(),
  claims: z.array(
    z.strictObject({
      statement: z.string(),
      source: z.string(),
      expected: z.enum(["above", "below"]),
      threshold: z.number(),
      quantity: z.strictObject({
        metric: z.enum(heldOutMetrics),
        method: z.enum(methods),
        than: z.enum(methods),
      }),
    }),
  ),
});

export type EnsembleClaims = z.output<typeof claimsSchema>;
type Quantity = EnsembleClaims["claims"][number]["quantity"];

export const loadEnsembleClaims = (): EnsembleClaims =>
  loadData("ensemble/claims.yaml", claimsSchema);

/** One claim for one world and one objective. */
export interface EnsembleFinding extends ClaimFinding {
  readonly world: string;
  /** Null of a claim that has none. */
  readonly objective: Objective | null;
  /** Over all claims, worlds and objectives. */
  readonly pAdjusted: number | null;
}

/**
 * Every claim for every world and objective, each decided by its interval and by its test, which is
 * adjusted over all of them: where the two do not both speak, it is undecided.
 */
export function ensembleFindings(
  { claims }: EnsembleClaims,
  worlds: ReadonlyMap<string, HeldOutConclusion>,
  { objectives, level }: { readonly objectives: readonly Objective[]; readonly level: number },
): EnsembleFinding[] {
  const tried = [...worlds].flatMap(([world, conclusion]) =>
    claims.flatMap((claim: Claim<Quantity>) => {
      const { metric, method, than } = claim.quantity;
      const hasObjective = method === "mmb" || than === "mmb";
      return (hasObjective ? objectives : [null]).map((objective) => {
        const [one, other] = [named(method, objective), named(than, objective)];
        const measured = `${metricNames[metric]}: ${methodName(one)} minus ${methodName(other)}`;
        const found = conclusion.difference(one, other, metric);
        const finding =
          found === undefined
            ? judgeByInterval(claim, { measured, missing: "the experiment has no such method" })
            : judgeByInterval(claim, { measured, estimate: found, n: conclusion.n });
        return { ...finding, world, objective, p: found?.p ?? null };
      });
    }),
  );
  const adjusted = benjaminiYekutieli(tried.flatMap(({ p }) => (p === null ? [] : [p])));
  let at = 0;
  return tried.map(({ p, ...finding }): EnsembleFinding => {
    const pAdjusted = p === null ? null : (adjusted[at++] ?? 1);
    if (finding.outcome === "undecided" || (pAdjusted !== null && pAdjusted < level)) {
      return { ...finding, pAdjusted };
    }
    return {
      ...finding,
      pAdjusted,
      outcome: "undecided",
      reason: `its test is not below ${level} when adjusted for ${adjusted.length} tests`,
    };
  });
}

const named = (method: Quantity["method"], objective: Objective | null) =>
  method === "mmb" ? `mmb ${objective}` : method === "bpe-alike" ? `bpe ${objective}` : method;
