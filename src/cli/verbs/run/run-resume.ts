import { openStore, runPlace, takeOverRun } from "../../../files/open-store.js";
import { Budget } from "../../../runs/budget.js";
import { command } from "../../command-line/command.js";
import { sanityArguments, sanityOf } from "../../command-line/sanity-arguments.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import type { Output } from "../../terminal/output.js";
import { concludingCommands } from "./concluding-commands.js";
import { limitArguments, limitsOf } from "./limits.js";
import { resumeSteps } from "./resume-steps.js";

export default command({
  description:
    "Resumes a run as its recipe (run.json) describes it: asks for what is missing, and again " +
    "for what had no answer but may have one now. Finished parts are never asked again, even " +
    "if a newer version would ask differently; missing or damaged images are made again. A " +
    "demo, an audit and a judge's run also conclude again. Paths in the recipe are relative " +
    "to the current folder; the run may have moved.",
  examples: [
    "touchstone run resume runs/demo",
    "touchstone run resume runs/benchmark --max-calls 1000",
  ],
  arguments: {
    run: runArgument,
    ...sanityArguments,
    ...limitArguments,
    "take-over": {
      kind: "switch",
      description:
        "go on although a process of another machine holds the run: you know that it no longer exists",
    },
  },
  async run({ given, environment, output }) {
    const place = runPlace(given.run, environment);
    if (given["take-over"]) await takeOverRun(place);
    const store = await openStore(place, { mayLack: true });
    const { commands } = store.recipe;
    const limits = limitsOf(given);
    // One purse for all that follows.
    const within = { ...environment, budget: new Budget(limits), resumes: true };
    const concluding = await concludingCommands(commands, { run: given.run });
    const isByRecipe = concluding.length < commands.length || commands.length === 0;
    for (const [at, repeat] of concluding.entries()) {
      await repeat({
        environment: within,
        output: isByRecipe || at < concluding.length - 1 ? workOnly(output) : output,
        shared: { json: given.json, debug: given.debug },
      });
    }
    if (isByRecipe) {
      const sanity = sanityOf(given);
      await resumeSteps(store, { run: given.run, limits, sanity, environment: within, output });
    }
  },
});

/** Only the last command's results are of interest. */
const workOnly = (output: Output): Output => ({
  ...output,
  result() {},
  resultJson() {},
  nextCommand() {},
});
