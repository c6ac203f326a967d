import { type Benchmark, hasStep } from "../benchmark.js";
import { buildPairs } from "./build-pairs.js";
import { countFaults } from "./count-faults.js";
import { paintPairs } from "./paint-pairs.js";
import { type PreferencePairs, preferenceRows } from "./preference-rows.js";
import { preferenceSteps } from "./steps.js";

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
