import { openPicture } from "../../../images/picture.js";
import { planParts } from "../../../runs/parts/plan-parts.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { exchangeArgument, exchangeOf } from "./exchange-argument.js";
import { withOpenedRun } from "./opened-run.js";

export default command({
  description:
    "Plans what a run still asks, for other machines: writes the tasks of every step whose inputs " +
    "are finished as Parquet parts (tasks/STEP/00000.parquet), with the images they need. Steps " +
    "that ask no model are collected here. Any machine performs a part with run perform; run " +
    "finish takes the results in. Then plan again: later steps follow from the results.",
  examples: [
    "touchstone run plan runs/demo",
    "touchstone run plan runs/demo --exchange s3://bucket/demo --part-size 256",
  ],
  arguments: {
    run: runArgument,
    ...exchangeArgument,
    "part-size": {
      kind: "number",
      integer: true,
      minimum: 1,
      default: 64,
      value: "N",
      description: "tasks of a part",
    },
  },
  async run(invocation) {
    const { given, environment, output } = invocation;
    const exchange = exchangeOf(given, environment);
    const { signal } = environment;
    const partSize = given["part-size"];
    const { steps, tasks, parts, done } = await withOpenedRun(invocation, (opened) =>
      planParts({ ...opened, exchange, partSize, signal, openPicture }),
    );
    output.resultJson({ steps: [...steps], tasks, parts: [...parts], done });
    if (done) {
      output.result(`All steps of ${given.run} are finished.`);
      output.nextCommand(["run", "resume", given.run]);
      return;
    }
    output.result(
      `${pluralText(tasks, "task")} of ${steps.join(", ")} in ${pluralText(parts.length, "part")} in ${exchange.place}`,
    );
    const [first] = parts;
    if (first !== undefined) output.nextCommand(["run", "perform", first]);
  },
});
