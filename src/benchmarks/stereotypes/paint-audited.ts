import type { Key } from "../../core/keys.js";
import { type ImageGenerator, modelFacts, placedName } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { Step } from "../../core/step.js";
import { paintPicture } from "../paint-picture.js";
import { isBy, partOf } from "./read-audit-records.js";

export interface PaintOptions {
  readonly generator: ImageGenerator;
  readonly seed: number;
  /** Images of each query. */
  readonly images: number;
}

/** The step by which a generator makes images from the queries. */
export const paintQueries = (options: PaintOptions): Step<"image"> => ({
  ...paintStep("paint-queries", options),
  async *plan(records) {
    for await (const query of records.ofType("query")) {
      if (query.status !== "done") continue;
      for (let sample = 0; sample < options.images; sample++) {
        yield {
          prompt: query.key,
          role: "query" as const,
          sample,
          text: query.text,
          seed: seedOf(query.key, sample, options),
          ...modelFacts(options.generator.identity),
        };
      }
    }
  },
});

/**
 * The step by which a generator makes images from the rewrites of its own queries, with the seeds
 * with which it made those of the queries.
 */
export const paintRefined = (options: PaintOptions): Step<"image"> => ({
  ...paintStep("paint-refined", options),
  async *plan(records) {
    const facts = modelFacts(options.generator.identity);
    for await (const refinement of records.ofType("refinement")) {
      if (refinement.status !== "done" || !isBy(facts, refinement)) continue;
      for (let sample = 0; sample < options.images; sample++) {
        yield {
          prompt: refinement.key,
          role: "refined" as const,
          sample,
          text: refinement.prompt,
          seed: seedOf(refinement.query, sample, options),
          ...facts,
        };
      }
    }
  },
});

const seedOf = (query: Key, sample: number, { seed }: PaintOptions): number =>
  randomFrom(seed, "paint", query, sample).integer(2 ** 31);

const paintStep = (
  name: string,
  { generator, seed, images }: PaintOptions,
): Omit<Step<"image">, "plan"> => ({
  name,
  part: partOf(generator.identity),
  version: 1,
  produces: "image",
  parameters: { generator: { ...generator.identity }, seed, images },
  asks: [placedName(generator.identity)],
  perform: (about, context) => paintPicture(generator, about, context),
});
