import { z } from "zod";
import { type ForeignTool, nextForScores, parsed, scoreRow } from "./foreign-table.js";

const resultSchema = z.object({
  provider: z.union([z.string(), z.object({ id: z.string(), label: z.string().nullish() })]),
  prompt: z.object({ raw: z.string() }),
  vars: z.record(z.string(), z.unknown()).default({}),
  score: z.number(),
  namedScores: z.record(z.string(), z.number()).default({}),
  error: z.unknown().optional(),
  /** 0 none, 1 an assertion, 2 an error. */
  failureReason: z.number().nullish(),
  gradingResult: z.unknown().optional(),
  testIdx: z.number().optional(),
  promptIdx: z.number().optional(),
});

/** Files of `promptfoo eval -o results.json`, whose version is 2 or 3. */
const schema = z.object({
  results: z.object({ version: z.literal([2, 3]), results: z.array(resultSchema) }),
});

/** promptfoo counts an error of a provider as score 0; here it is unscored. */
const isError = ({ failureReason, error, gradingResult }: z.output<typeof resultSchema>) =>
  failureReason === undefined || failureReason === null
    ? Boolean(error) && (gradingResult === null || gradingResult === undefined)
    : failureReason === 2;

export const promptfoo: ForeignTool = {
  name: "promptfoo",
  summary: "results of promptfoo eval -o results.json",
  description:
    "Reads the JSON of `promptfoo eval -o results.json`. A row for each result and each named " +
    "metric of its assertions, or, where none is named, metric score with the overall score; " +
    "model is the provider's label, prompt the text that was sent, and vars become columns. A " +
    "result that ended with an error is unscored, not 0.",
  example: "touchstone import promptfoo results.json --out scores.csv",
  wants: (name) => name.endsWith(".json"),
  next: nextForScores,
  read(files) {
    const all = files.flatMap(
      (file) => parsed(schema, file, "promptfoo's results").results.results,
    );
    const named = [...new Set(all.flatMap(({ namedScores }) => Object.keys(namedScores)))];
    const rows = all.flatMap((result, at) => {
      const { provider, prompt, namedScores, vars, testIdx, promptIdx } = result;
      const failed = isError(result);
      const metrics = named.length === 0 ? ["score"] : failed ? named : Object.keys(namedScores);
      const known: Readonly<Record<string, number>> = { score: result.score, ...namedScores };
      return metrics.map((metric) =>
        scoreRow(
          {
            id: testIdx === undefined ? String(at) : [testIdx, promptIdx ?? 0].join("-"),
            prompt: prompt.raw,
            model: typeof provider === "string" ? provider : (provider.label ?? provider.id),
            metric,
            score: failed ? null : (known[metric] ?? null),
            reason: failed ? "provider-error" : null,
          },
          vars,
        ),
      );
    });
    const errors = all.filter(isError).length;
    return {
      rows,
      notes:
        errors === 0
          ? []
          : [
              `promptfoo scores results that ended with an error 0 (${errors} here); they are unscored`,
            ],
    };
  },
};
