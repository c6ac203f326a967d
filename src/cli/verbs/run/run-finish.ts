import { IncompleteError } from "../../../core/errors.js";
import { finishParts } from "../../../runs/parts/finish-parts.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { exchangeArgument, exchangeOf } from "./exchange-argument.js";
import { withOpenedRun } from "./opened-run.js";

export default command({
  description:
    "Takes the results that run perform wrote into the run, in the order of the plan, and " +
    "finishes each step once all its parts are there. Names the parts that are missing and exits " +
    "with 3. Finishing again changes nothing.",
  examples: [
    "touchstone run finish runs/demo",
    "touchstone run finish runs/demo --exchange s3://bucket/demo",
  ],
  arguments: { run: runArgument, ...exchangeArgument },
  async run(invocation) {
    const { given, environment, output } = invocation;
    const exchange = exchangeOf(given, environment);
    const { signal } = environment;
    const { steps, records, missing } = await withOpenedRun(invocation, (opened) =>
      finishParts({ ...opened, exchange, signal }),
    );
    output.resultJson({ steps: [...steps], records, missing: [...missing] });
    if (steps.length > 0) {
      output.result(`${steps.join(", ")} finished with ${pluralText(records, "record")}`);
    }
    const [first] = missing;
    if (first !== undefined) {
      throw new IncompleteError(
        `${pluralText(missing.length, "part")} ${missing.length === 1 ? "has" : "have"} no results, such as ${first}`,
        { hint: "Perform them (touchstone run perform PART), then finish again." },
      );
    }
    if (steps.length === 0) output.result("Nothing is left to take in.");
    const place = given.exchange === undefined ? [] : ["--exchange", given.exchange];
    output.nextCommand(["run", "plan", given.run, ...place]);
  },
});
