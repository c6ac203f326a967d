import { openStore, runPlace, takeOverRun } from "../../../files/open-store.js";
import { Budget } from "../../../runs/budget.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/run-argument.js";
import type { Output } from "../../terminal/output.js";
import { limitArguments, limitsOf } from "./limits.js";
import { repeatable } from "./repeatable.js";

export default command({
  description:
    "Resumes a run with the commands that made it, in order (run.json names them): asks for " +
    "what is missing, and again for what had no answer but may have one now. Finished parts " +
    "are never asked again, even if a newer version would ask differently; missing or " +
    "damaged images are made again. Paths in those commands, such as that of your own " +
    "metric, are relative to the current folder; the run may have moved.",
  examples: [
    "touchstone run resume runs/demo",
    "touchstone run resume runs/benchmark --max-calls 1000",
  ],
  arguments: {
    run: runArgument,
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
    const { recipe } = await openStore(place, { mayLack: true });
    const commands = await repeatable(recipe.commands, { run: given.run });
    // One purse for all of them.
    const within = { ...environment, budget: new Budget(limitsOf(given)), resumes: true };
    for (const [at, repeat] of commands.entries()) {
      if (environment.signal.aborted) break;
      const isLast = at === commands.length - 1;
      await repeat({
        environment: within,
        output: isLast ? output : workOnly(output),
        shared: { json: given.json, debug: given.debug },
      });
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
