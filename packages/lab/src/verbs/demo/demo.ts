import { resolve } from "node:path";
import {
  type CollectedRun,
  command,
  type Invocation,
} from "touchstone-t2i/internal/cli/command-line/command.js";
import {
  openArgument,
  openWhere,
  sanityArguments,
} from "touchstone-t2i/internal/cli/command-line/shared-arguments.js";
import { runtimeArgument } from "touchstone-t2i/internal/cli/models/runtime-argument.js";
import {
  budgetOf,
  limitArguments,
  withoutLimits,
} from "touchstone-t2i/internal/cli/verbs/run/limits.js";
import type { Arguments } from "touchstone-t2i/internal/core/options.js";
import type { Budget } from "touchstone-t2i/internal/runs/budget.js";
import { type ExperimentSize, experimentSizes } from "../../lab-experiment.js";
import { demoChapters } from "./chapters.js";
import { type DemoPlace, keepDemo, type MadeDemo, standingDemo } from "./standing-demo.js";

/** Where no --run is given; a run of one size can't be gone on with in another. */
const folders: Readonly<Record<ExperimentSize, string>> = {
  small: "runs/demo-small",
  medium: "runs/demo",
  full: "runs/demo-full",
};

const chapterNames = demoChapters.map(({ name }) => name);

const demoArguments = {
  size: {
    kind: "choice",
    choices: experimentSizes,
    default: "medium",
    description:
      "small: 40 triplets, to try things; medium: 300, two to four minutes on two cores; full: " +
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
  "no-sanity": sanityArguments["no-sanity"],
  ...openArgument,
  ...limitArguments,
} as const satisfies Arguments;

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
  arguments: demoArguments,
  async run(invocation) {
    const place = placeOf(invocation);
    const standing = await standingDemo(place);
    const made = standing ?? (await makeKept(invocation, budgetOf(invocation.given)));
    if (standing !== undefined) {
      invocation.output.note("Nothing has changed since this demo was made.");
    }
    show(made, invocation);
  },
  make: async (invocation, { budget }) => ({
    conclude: async (main) => show(await makeKept(invocation, budget, main), invocation),
  }),
});

type DemoInvocation = Invocation<typeof demoArguments>;

const folderOf = ({ given: { size, run = folders[size] } }: DemoInvocation): string => run;

function placeOf(invocation: DemoInvocation): DemoPlace {
  const { given, environment, output } = invocation;
  const { size, seed = null, chapter, runtime, "no-sanity": unchecked } = given;
  const run = folderOf(invocation);
  const shown = [output.style.width, output.style.bold("")];
  return {
    folder: resolve(environment.workingDirectory, run),
    asked: { size, run, chapter, runtime, unchecked, seed, shown },
  };
}

/** Makes a demo, and notes what it came to for whoever runs it again. */
async function makeKept(
  invocation: DemoInvocation,
  budget: Budget,
  main?: CollectedRun,
): Promise<MadeDemo> {
  const { given, words, makes } = invocation;
  const { size, seed, chapter, runtime } = given;
  const run = folderOf(invocation);
  const chosen = ({ seed }: { readonly seed: number }) => ({
    run,
    seed,
    open: undefined,
    ...withoutLimits,
  });
  const { makeDemo } = await import("./make-demo.js");
  const asked = {
    size,
    run,
    seed,
    chapter,
    runtime,
    isChecked: !given["no-sanity"],
    budget,
    words: (its: { readonly seed: number }) => words(chosen(its), ["size", "run", "seed"]),
    makes: (its: { readonly seed: number }) => makes(chosen(its)),
  };
  const made = await makeDemo(asked, invocation, main);
  await keepDemo(made, placeOf(invocation));
  return made;
}

function show(made: MadeDemo, invocation: DemoInvocation): void {
  const { given, environment, output } = invocation;
  output.result(made.text);
  output.resultJson(JSON.parse(made.json));
  openWhere({ open: given.open, out: made.report }, environment);
  output.nextCommand(["studio", folderOf(invocation)]);
}
