import { z } from "zod";
import type { Baseline } from "../../analysis/comparison/comparison-gate.js";
import { promptScoresVersion } from "../../analysis/comparison/prompt-scores.js";
import { InputError } from "../../core/errors.js";
import type { Inputs } from "../table-options.js";

const estimate = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});

const measure = z.object({
  model: z.string().optional(),
  convention: z.string().optional(),
  template: z.string().optional(),
  statistic: z.string().optional(),
  metricVersion: z.string().optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
});

const scores = z
  .object({
    version: z.literal(promptScoresVersion),
    prompts: z.array(z.string()),
    models: z.record(z.string(), z.array(z.array(z.number()))),
  })
  .refine(
    ({ prompts, models }) => Object.values(models).every((its) => its.length === prompts.length),
    { message: "a model has scores of more or fewer prompts than there are" },
  );

const schema = z.object({
  metric: z.string(),
  direction: z.enum(["higher", "lower"]),
  models: z.record(z.string(), z.object({ mean: estimate })),
  measure: measure.optional(),
  // Sums have none.
  scores: scores.nullish().transform((its) => its ?? undefined),
});

/**
 * Reads what an earlier `compare` printed with --json or wrote to a .json file.
 *
 * @throws InputError where there is no such file, or it holds something else.
 */
export async function readBaseline(file: string, inputs: Pick<Inputs, "text">): Promise<Baseline> {
  const hint = "Make one: touchstone compare scores.csv --out previous.json";
  const text = await inputs.text(file);
  const expected = `Expected the JSON of an earlier compare for --baseline but`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError(`${expected} ${file} is not JSON`, { hint, cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") ?? "";
    throw new InputError(
      `${expected} in ${file} ${where === "" ? "the whole" : where} is something else (${issue?.message})`,
      { hint },
    );
  }
  return { kind: "conclusion", ...parsed.data };
}
