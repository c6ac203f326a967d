import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { degradationLevels } from "../../images/degrade.js";
import { type Benchmark, hasStep } from "../benchmark.js";
import { held, modelIdentity, stepKind } from "../step-kind.js";
import { buildPairs, countFaults, paintPairs } from "./build-pairs.js";
import { degradeImages, faultlessImages } from "./no-preference-pairs.js";
import { type PreferencePairs, preferenceRows } from "./preference-rows.js";

const preferenceSteps = [
  stepKind({
    name: "build-pairs",
    version: 1,
    title: "Writing captions",
    cost: 1,
    parameters: z.object({
      seed: z.int(),
      count: z.int().positive(),
      styles: z.array(z.string()),
      source: z.string(),
    }),
    async make({ source: name, ...rest }, _, { world }) {
      const { pairs: source } = await world();
      if (name === `${source.name}@${source.version}`) return buildPairs({ source, ...rest });
      throw new InputError(
        `Expected captions of ${name} but this version has ${source.name}@${source.version}`,
      );
    },
  }),
  stepKind({
    name: "paint-pairs",
    version: 1,
    title: "Painting pairs",
    cost: 10,
    parameters: z.object({ painter: z.string(), generator: modelIdentity }),
    async make({ painter, generator: identity }, _, sources) {
      const generator = await sources.generator(identity, {});
      const [step] = paintPairs({ painters: new Map([[painter, generator]]) });
      return held(step, "who paints");
    },
  }),
  stepKind({
    name: "count-faults",
    version: 1,
    title: "Counting painters' mistakes",
    cost: 1,
    parameters: z.object({}),
    make: async (_, __, { world }) => countFaults({ truth: (await world()).truth.faults }),
  }),
  stepKind({
    name: "degrade-images",
    version: 1,
    title: "Altering copies of images",
    cost: 10,
    parameters: z.object({ level: z.literal(degradationLevels) }),
    make: async ({ level }, _, { world }) =>
      degradeImages({ images: faultlessImages, level, mark: (await world()).sign }),
  }),
];

const defaultPairs = 200;

/** Which of two pictures of a caption has fewer errors? Labels for judges, by the world that painted them. */
export const preference: Benchmark<PreferencePairs> = {
  name: "preference",
  recognises: hasStep("build-pairs"),
  steps: preferenceSteps,
  hint: "Its pairs.jsonl is a table of labels: touchstone calibrate RUN/pairs.jsonl --model lab:judge",
  build: {
    description:
      "captions, each painted in one style by a better and a worse painter of the lab, with a " +
      `table of which image has fewer errors (${defaultPairs} pairs without --prompts)`,
    isComplete: true,
    flags: [
      {
        name: "style",
        value: "NAME",
        description: "one of the styles fluent, noto, twemoji (default: all)",
      },
    ],
    async plan({ seed, count = defaultPairs, flags: { style = [] }, ...request }) {
      const world = await request.world();
      const { pairs: source, truth } = world;
      const pairs = buildPairs({
        source,
        seed,
        count,
        ...(style.length === 0 ? {} : { styles: style }),
      });
      const painters = await Promise.all(
        source.painters.map(async (name) => [name, await request.generatorOf(name)] as const),
      );
      return {
        steps: [
          pairs,
          ...paintPairs({ painters: new Map(painters) }),
          countFaults({ truth: truth.faults }),
        ],
        models: source.painters,
      };
    },
  },
  conclude: (run) => preferenceRows(run),
  async built(run, options) {
    const { builtPairs } = await import("./tables.js");
    return builtPairs(run, options);
  },
  async tables(run, options) {
    const { preferenceTables } = await import("./tables.js");
    return preferenceTables(run, options);
  },
};
