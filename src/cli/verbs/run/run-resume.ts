import { resolve } from "node:path";
import { RunFolder } from "../../../files/run-folder.js";
import { Budget } from "../../../runs/budget.js";
import { command } from "../../command-line/command.js";
import type { Output } from "../../terminal/output.js";
import { limitArguments, limitsOf } from "./limits.js";
import { repeatable } from "./repeatable.js";

export default command({
  description:
    "Goes on with a run by the commands that made it, in their order (run.json names them): asks " +
    "for what has no record, and again for what had no answer but may have one now. What is " +
    "finished is not asked again, not even where a later version would ask otherwise; images that are " +
    "gone or damaged are made anew. Paths in those commands, such as that of a metric of your own, " +
    "are taken from where you stand; the run may have been moved.",
  examples: [
    "touchstone run resume runs/demo",
    "touchstone run resume runs/benchmark --max-calls 1000",
  ],
  arguments: {
    run: { kind: "positional", description: "the folder of the run" },
    ...limitArguments,
  },
  async run({ given, environment, output }) {
    const directory = resolve(environment.workingDirectory, given.run);
    const { recipe } = await RunFolder.open({ directory, mayLack: true });
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
