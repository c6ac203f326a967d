import {
  type Claim,
  type ClaimFinding,
  judgeByInterval,
} from "touchstone-t2i/internal/analysis/inference/claims.js";
import { loadData } from "touchstone-t2i/internal/benchmarks/load-data.js";
import type { Objective } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import { benjaminiYekutieliWhereTested } from "touchstone-t2i/internal/stats/adjusted-p-values.js";
import { z } from "zod";
import type { HeldOutConclusion } from "./held-out.js";
import { methodName, metricNames } from "./names.js";
import { heldOutMetrics } from "./resampled.js";

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
  /** Null where the claim names no method with an objective. */
  readonly objective: Objective | null;
  /** p-value of its test, adjusted over all claims, worlds and objectives; null without a test. */
  readonly pAdjusted: number | null;
}

/**
 * Decides every claim for every world and objective. A claim is confirmed or refuted where its interval
 * is on one side of the threshold and its p-value, adjusted over all claims, is below `level`; else it is
 * undecided, with the reason.
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
  const adjusted = benjaminiYekutieliWhereTested(tried.map(({ p }) => p));
  const tests = adjusted.filter((p) => p !== null).length;
  return tried.map(({ p: _, ...finding }, at): EnsembleFinding => {
    const pAdjusted = adjusted[at] ?? null;
    if (finding.outcome === "undecided" || (pAdjusted !== null && pAdjusted < level)) {
      return { ...finding, pAdjusted };
    }
    return {
      ...finding,
      pAdjusted,
      outcome: "undecided",
      reason: `its test is not below ${level} when adjusted for ${tests} tests`,
    };
  });
}

const named = (method: Quantity["method"], objective: Objective | null) =>
  method === "mmb" ? `mmb ${objective}` : method === "bpe-alike" ? `bpe ${objective}` : method;
