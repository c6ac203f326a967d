import { z } from "zod";
import type { Claim } from "../analysis/inference/claims.js";
import { localizationStrategies } from "../images/localize.js";
import { localizedScoreNames } from "../stats/localized-answers.js";
import { loadData } from "./load-data.js";

const metric = z.string();
const two = { metric, than: metric };

/** Quantity that decides a claim about attribute confusion. */
const confusionQuantity = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("swap-failure"), metric }),
  z.strictObject({ kind: z.literal("swap-failure-difference"), ...two }),
  z.strictObject({
    kind: z.literal("correlation-difference"),
    target: z.enum(localizedScoreNames),
    ...two,
  }),
  z.strictObject({
    kind: z.literal("strategy-difference"),
    strategy: z.enum(localizationStrategies),
    than: z.enum(localizationStrategies),
  }),
  z.strictObject({
    kind: z.literal("exchange-difference"),
    part: z.enum(["answerer", "localiser"]),
  }),
]);

/** Quantity that decides a claim about prototypicality. */
const prototypicalityQuantity = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("effect"), metric }),
  z.strictObject({ kind: z.literal("failure-rate"), metric }),
  z.strictObject({ kind: z.literal("failure-rate-difference"), ...two }),
  z.strictObject({ kind: z.literal("misranking-difference"), ...two }),
  z.strictObject({ kind: z.literal("seconds-difference"), ...two }),
  z.strictObject({ kind: z.literal("score-difference"), metric, domain: z.string() }),
]);

const category = z.string();

/** Quantity that decides a claim about stereotypes. */
const stereotypeQuantity = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("index-fall"), category, by: z.enum(["all", "generator"]) }),
  z.strictObject({
    kind: z.literal("index-fall-by"),
    category,
    share: z.number().positive().max(1),
  }),
  z.strictObject({ kind: z.literal("judge-accuracy") }),
  z.strictObject({ kind: z.literal("alignment-loss") }),
]);

export type ConfusionQuantity = z.output<typeof confusionQuantity>;
export type PrototypicalityQuantity = z.output<typeof prototypicalityQuantity>;

export type StereotypeQuantity = z.output<typeof stereotypeQuantity>;

const claimsOf = <Quantity>(quantity: z.ZodType<Quantity>) =>
  z.strictObject({
    paper: z.string(),
    claims: z.array(
      z.strictObject({
        statement: z.string(),
        source: z.string(),
        expected: z.enum(["above", "below"]),
        threshold: z.number(),
        quantity,
      }),
    ),
  });

/** The claims of a paper that a run can decide. */
export interface Claims<Quantity> {
  readonly paper: string;
  readonly claims: readonly Claim<Quantity>[];
}

export const loadConfusionClaims = (): Claims<ConfusionQuantity> =>
  loadData("attribute-confusion/claims.yaml", claimsOf(confusionQuantity));

export const loadPrototypicalityClaims = (): Claims<PrototypicalityQuantity> =>
  loadData("prototypicality/claims.yaml", claimsOf(prototypicalityQuantity));

export const loadStereotypeClaims = (): Claims<StereotypeQuantity> =>
  loadData("stereotypes/claims.yaml", claimsOf(stereotypeQuantity));
