import { resolve } from "node:path";
import { type ExperimentSize, experimentSizes } from "../../../lab/lab-experiment.js";
import { command } from "../../command-line/command.js";
import { openArgument, openWhere } from "../../command-line/shared-arguments.js";
import { runtimeArgument } from "../../models/runtime-argument.js";
import { limitArguments, limitsOf, withoutLimits } from "../run/limits.js";
import { demoChapters } from "./chapters.js";
import { keepDemo, standingDemo } from "./standing-demo.js";

/** Where no --run is given; a run of one size can't be gone on with in another. */
const folders: Readonly<Record<ExperimentSize, string>> = {
  small: "runs/demo-small",
  medium: "runs/demo",
  full: "runs/demo-full",
};

const chapterNames = demoChapters.map(({ name }) => name);

export default command({
  description:
    "Finds out offline which metric prefers the typical image over the right one: builds " +
    "contrastive prompts, paints them with the lab's generator, keeps the pictures that show " +
    "what they should, and scores them with five metrics over small real models. Further " +
    "chapters follow, each a run of its own in the demo's folder. The lab is a world of clip " +
    "art: it shows how Touchstone works, and is no evidence about real metrics.",
  examples: [
    "touchstone demo",
    "touchstone demo --size small --seed 1 --run runs/seed-1",
    "touchstone demo --chapter none",
  ],
  arguments: {
    size: {
      kind: "choice",
      choices: experimentSizes,
      default: "medium",
      description:
        "small: 40 triplets, to try things; medium: 300, some three minutes on two cores; full: " +
        "1,500, narrow intervals, some twelve minutes",
    },
    run: {
      kind: "text",
      value: "DIR",
      description: `the folder of the run (default: ${folders.medium}, ${folders.small} or ${folders.full} for these sizes)`,
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      description: "the random seed of prompts and pictures (default: fixed for each size)",
    },
    chapter: {
      kind: "text",
      repeated: true,
      value: "NAME",
      description: `which further chapters, of ${chapterNames.join(", ")}, or none (default: all)`,
    },
    runtime: runtimeArgument,
    ...openArgument,
    ...limitArguments,
  },
  async run({ given, environment, output, words }) {
    const { size, seed, run = folders[size], chapter, runtime } = given;
    const place = {
      folder: resolve(environment.workingDirectory, run),
      asked: {
        size,
        run,
        chapter,
        runtime,
        seed: seed ?? null,
        shown: [output.style.width, output.style.bold("")],
      },
    };
    const standing = await standingDemo(place);
    const make = async () => {
      const { makeDemo } = await import("./make-demo.js");
      const limits = limitsOf(given);
      const asked = { size, run, seed, chapter, runtime, limits };
      return makeDemo(
        {
          ...asked,
          words: ({ seed }) =>
            words({ run, seed, open: undefined, ...withoutLimits }, ["size", "run", "seed"]),
        },
        { environment, output },
      );
    };
    const made = standing ?? (await make());
    if (standing === undefined) await keepDemo(made, place);
    if (standing !== undefined) output.note("Nothing has changed since this demo was made.");
    output.result(made.text);
    output.resultJson(JSON.parse(made.json));
    openWhere({ open: given.open, out: made.report }, environment);
    output.nextCommand(["studio", run]);
  },
});
