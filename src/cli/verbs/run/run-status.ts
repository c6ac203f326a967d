import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { type AtWork, runStatus, type StepStatus } from "../../../runs/run-status.js";
import { countText, pluralText } from "../../../views/number-text.js";
import { numberColumns } from "../../../views/printed.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { dollars, duration, number3 } from "../../terminal/numbers.js";
import { table } from "../../terminal/terminal-table.js";
import { unscoredLines } from "./show-steps.js";

export default command({
  description:
    "Shows the progress of a run: for each step what is done, what is unscored and why, its " +
    "speed and cost, and which processes work on it. Asks and writes nothing.",
  examples: ["touchstone run status runs/demo", "touchstone run status runs/demo --json"],
  arguments: {
    run: runArgument,
  },
  async run({ given, environment, output }) {
    const place = runPlace(given.run, environment);
    const store = await openStore(place, { mayLack: true });
    const { steps, atWork, cost } = await runStatus(store);
    const isFinished = steps.length > 0 && steps.every((step) => step.isFinished);
    output.result(
      [
        ...(steps.length === 0 ? [] : [output.style.bold(headline(steps)), ""]),
        stepTable(steps, output.style.width),
        ...steps.flatMap(({ step, commonestDetail }) =>
          unscoredLines(step, commonestDetail, output.style.width),
        ),
        "",
        ...(atWork.length === 0 ? ["No process is working on it."] : atWork.map(atWorkText)),
      ].join("\n"),
    );
    output.resultJson({
      run: given.run,
      isFinished,
      steps: steps.map((step) => ({ ...step, unscored: { ...step.unscored } })),
      atWork: atWork.map((each) => ({ ...each })),
      cost,
    });
    const again = steps.some(({ retryable }) => retryable > 0);
    // Answers that calibrate and judge keep are of no benchmark and have no report.
    const isReported = benchmarkOf(store.recipe) !== undefined;
    const finished = isReported ? ["report", given.run] : ["run", "verify", given.run];
    const next = isFinished && !again ? finished : ["run", "resume", given.run];
    if (atWork.length === 0) output.nextCommand(next);
  },
});

/** @example "Finished: all 11 steps." */
function headline(steps: readonly StepStatus[]): string {
  const finished = steps.filter(({ isFinished }) => isFinished).length;
  const all = pluralText(steps.length, "step");
  return finished === steps.length
    ? `Finished: ${steps.length === 1 ? "its one step" : `all ${all}`}.`
    : `Not finished: ${countText(finished)} of ${all} so far.`;
}

const atWorkText = ({ who, command }: AtWork): string =>
  `At work: ${who}${command ? `, ${command}` : ""}`;

function stepTable(steps: readonly StepStatus[], width: number): string {
  if (steps.length === 0) return "No step was begun.";
  return table(
    [
      { title: "step" },
      ...numberColumns("planned", "done"),
      // With its reasons, which wrap: what has no answer is never left out.
      { title: "no result", isEssential: true },
      ...numberColumns("per second", "cost"),
      { title: "state", isEssential: true },
    ],
    steps.map(({ step, planned, done, unscored, rate, cost, isFinished, secondsLeft }) => [
      step,
      planned === null ? "" : String(planned),
      String(done),
      unscoredText(unscored),
      rate === null ? "" : number3(rate),
      cost !== null && cost > 0 ? dollars(cost) : "",
      isFinished ? "finished" : unfinishedText(secondsLeft),
    ]),
    width,
  );
}

const unfinishedText = (secondsLeft: number | null) =>
  secondsLeft === null ? "not finished" : `not finished, ${duration(secondsLeft)} left`;

function unscoredText(unscored: StepStatus["unscored"]): string {
  const reasons = Object.entries(unscored);
  return reasons.length === 0
    ? "0"
    : reasons.map(([reason, many]) => `${many} ${reason}`).join(", ");
}
