import { z } from "zod";
import { InputError } from "../../core/errors.js";
import {
  type ForeignTool,
  firstText,
  nextForScores,
  parsed,
  scoreRow,
  text,
} from "./foreign-table.js";

const scoreValue = z.union([z.number(), z.boolean(), z.null()]);

const reviewSchema = z.object({
  index: text.optional(),
  input: z.string().nullish(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).nullish(),
  sample_score: z.object({
    score: z.object({ status: z.string().nullish(), value: z.record(z.string(), scoreValue) }),
    sample_metadata: z.record(z.string(), z.unknown()).nullish(),
  }),
});
type Review = z.output<typeof reviewSchema>;

/** A review before version 1.0 has the judgment of each choice; evalscope counts the first. */
const earlyReviewSchema = z
  .object({
    index: text.optional(),
    origin_prompt: z.unknown(),
    choices: z.array(z.object({ review: z.object({ result: z.unknown() }).nullish() })),
  })
  .transform(({ index, origin_prompt: asked, choices: [first] }): Review => {
    const result = first?.review?.result;
    const one = scoreValue.safeParse(result);
    const several = z.record(z.string(), scoreValue).safeParse(result);
    return {
      index,
      input: firstText(asked),
      sample_score: {
        score: {
          status: first?.review ? "success" : "error",
          value: several.success ? several.data : { score: one.success ? one.data : null },
        },
      },
    };
  });

const isEarly = (value: unknown) =>
  z.array(z.looseObject({ choices: z.array(z.unknown()) })).safeParse(value).success;

/** In other states evalscope leaves the score out: no judge answered, or not readably. */
const usable = new Set(["success", "fallback"]);

export const evalscope: ForeignTool = {
  name: "evalscope",
  summary: "reviews of evalscope (outputs/TIME/reviews)",
  description:
    "Reads evalscope's reviews: the folder of a run (outputs/TIME) or one reviews/MODEL/DATASET.jsonl. " +
    "A row for each sample and metric: model and dataset are those of the path, prompt the " +
    "sample's input. A sample without a usable score is unscored. Its reports hold means only and are refused.",
  example: "touchstone import evalscope outputs/20250101_120000 --out scores.csv",
  wants: (name) => /(^|\/)reviews\/.*\.jsonl$/.test(name),
  next: nextForScores,
  read(files) {
    const reviews = files.flatMap((file) => {
      if (z.looseObject({ metrics: z.array(z.unknown()) }).safeParse(file.value).success) {
        throw new InputError(`Expected evalscope's reviews but ${file.name} is a report of means`, {
          hint: "Import the folder of the run, or a .jsonl of its folder reviews.",
        });
      }
      const [, model = null] = /([^/\\]+)[/\\][^/\\]+\.jsonl$/.exec(file.name) ?? [];
      const [, dataset = ""] = /([^/\\]+)\.jsonl$/.exec(file.name) ?? [];
      const schema = z.array(isEarly(file.value) ? earlyReviewSchema : reviewSchema);
      return parsed(schema, file, "evalscope's reviews").map((review, at) => ({
        ...review,
        index: review.index ?? String(at),
        model,
        dataset,
      }));
    });
    const named = new Map<string, Set<string>>();
    for (const { dataset, sample_score: sample } of reviews) {
      const metrics = named.get(dataset) ?? new Set();
      for (const metric of Object.keys(sample.score.value)) metrics.add(metric);
      named.set(dataset, metrics);
    }
    const rows = reviews.flatMap(({ dataset, model, ...review }) => {
      const { score, sample_metadata: others } = review.sample_score;
      const isUsable = usable.has(score.status ?? "success");
      const metrics = isUsable ? Object.keys(score.value) : [...(named.get(dataset) ?? [])];
      return metrics.map((metric) => {
        const value = isUsable ? (score.value[metric] ?? null) : null;
        return scoreRow(
          {
            id: `${dataset}-${review.index}`,
            prompt: promptOf(review),
            model,
            metric,
            score: value === null ? null : Number(value),
            reason: value !== null ? null : isUsable ? "unparsable" : "provider-error",
          },
          { dataset, ...others },
        );
      });
    });
    return { rows, notes: [] };
  },
};

function promptOf({ input, messages }: Review): string | null {
  if (typeof input === "string") return input;
  const content = messages?.find(({ role }) => role === "user")?.content;
  return typeof content === "string"
    ? content
    : content === undefined
      ? null
      : JSON.stringify(content);
}
