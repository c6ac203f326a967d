import { once } from "touchstone-t2i/internal/core/cache.js";
import { z } from "zod";
import { labYaml } from "../package-file.js";
import { type DefectRates, noDefects } from "./defect-rates.js";

const rate = z.number().min(0).max(1);

const erring = z.strictObject({
  leakAttribute: rate,
  swapAttributes: rate,
  loseAttribute: rate,
  dropExtra: rate,
  miscount: rate,
  driftToPrototype: rate,
});
const confusing = erring.extend({ leakColour: rate, swapColours: rate, loseColour: rate });
const skewed = z.strictObject({ skew: rate });

const schema = z.record(z.string(), z.union([erring, confusing, skewed]));
const painters = once(() => new Map(Object.entries(schema.parse(labYaml("painters.yaml")))));

const namesOf = (kind: z.ZodType): string[] =>
  [...painters()].filter(([, rates]) => kind.safeParse(rates).success).map(([name]) => name);

/** The painters that err at rates of their own, best first: a to e. */
export const painterNames = (): readonly string[] => namesOf(erring);

/** The same painters, which also give things the wrong colours, best first: things-a to things-e. */
export const confusingPainterNames = (): readonly string[] => namesOf(confusing);

/** The painters that draw people by stereotypes, least first. */
export const skewedPainterNames = (): readonly string[] => namesOf(skewed);

/** How often the painter of this name errs; undefined where there is none that does. */
export function ratesOf(name: string): DefectRates | undefined {
  const rates = z.union([erring, confusing]).safeParse(painters().get(name)).data;
  return rates && { ...noDefects, ...rates };
}

/** How strongly the painter of this name is skewed, in [0, 1]; undefined where there is none. */
export const skewOf = (name: string): number | undefined =>
  skewed.safeParse(painters().get(name)).data?.skew;
