import type { RunEvent } from "../core/step.js";
import type { UnscoredReason } from "../core/unscored.js";
import { duration } from "./duration.js";
import type { Environment } from "./environment.js";
import { number3 } from "./numbers.js";
import type { Output } from "./output.js";

const redrawMilliseconds = 100;
const widestBar = 30;
const narrowestBar = 8;

/** How a step stands while it is at work. */
interface Work {
  readonly step: string;
  readonly total: number;
  readonly reused: number;
  readonly since: number;
  finished: number;
  /** Records without an answer that nobody was asked for, such as a prompt that can't be drawn. */
  leftOut: number;
  /** The others without an answer. */
  unscored: number;
  /** The last tenth of the total that a plain line told of. */
  tenth: number;
}

/**
 * Shows a run on stderr; hand the result to `runSteps` as `onEvent`. On a terminal a line is
 * redrawn, at most ten times a second, and each step leaves one line behind; where there is none,
 * or NO_COLOR or CI is set, a plain line tells of the start, every tenth, and the end of a step.
 *
 * @example await runSteps({ folder, steps, openPicture, onEvent: progress({ output, environment }) })
 */
export function progress({
  output,
  environment,
}: {
  output: Pick<Output, "note" | "progress">;
  environment: Pick<Environment, "now" | "stderr" | "variables">;
}): (event: RunEvent) => void {
  const { stderr, variables } = environment;
  const isBar = stderr.isTerminal && !variables.NO_COLOR && !variables.CI;
  const now = () => environment.now().getTime();
  let work: Work | undefined;
  let cost = 0;
  let drawn = Number.NEGATIVE_INFINITY;

  const draw = (current: Work) => {
    if (now() - drawn < redrawMilliseconds) return;
    drawn = now();
    output.progress(barLine(current, { now: now(), cost, columns: stderr.columns }));
  };
  return (event) => {
    if (event.kind === "step-planned") {
      const { step, total, reused, reusedUnscored } = event;
      work = {
        step,
        total,
        reused,
        since: now(),
        finished: reused,
        leftOut: 0,
        unscored: 0,
        tenth: 0,
      };
      for (const [reason, many] of Object.entries(reusedUnscored))
        countUnscored(work, reason, many);
      work.tenth = tenthOf(work);
      if (isBar) draw(work);
      else if (total > reused) output.note(startLine(work));
    }
    if (work === undefined) return;
    if (event.kind === "record") {
      work.finished++;
      if (event.record.status === "unscored") countUnscored(work, event.record.reason, 1);
      cost += event.cost ?? 0;
      if (isBar) return draw(work);
      if (tenthOf(work) === work.tenth || work.finished === work.total) return;
      work.tenth = tenthOf(work);
      const parts = [`${work.tenth * 10} %`, ...facts(work, { now: now(), cost })];
      output.note(`${work.step}: ${parts.join(", ")}`);
    }
    if (event.kind === "step-finished") {
      output.note(endLine(work, { now: now(), cost }));
      work = undefined;
      drawn = Number.NEGATIVE_INFINITY;
    }
  };
}

const notAsked: UnscoredReason = "not-applicable";

function countUnscored(work: Work, reason: string, many: number): void {
  if (reason === notAsked) work.leftOut += many;
  else work.unscored += many;
}

function startLine({ step, total, reused }: Work): string {
  return reused === 0
    ? `${step}: ${total} to do`
    : `${step}: ${total - reused} of ${total} to do, the others are there already`;
}

function endLine(work: Work, { now, cost }: { now: number; cost: number }): string {
  const { step, total, reused, since } = work;
  const made = total - reused;
  const after = missingAndCost(work, cost);
  if (total === 0) return `${step}: nothing to do`;
  if (made === 0) return [`${step}: all ${total} were there already`, ...after].join(", ");
  const rate = rateOf(work, now);
  const speed = rate === undefined ? "" : ` (${number3(rate)}/s)`;
  return [`${step}: ${made} in ${duration((now - since) / 1000)}${speed}`, ...after].join(", ");
}

function barLine(
  work: Work,
  { now, cost, columns }: { now: number; cost: number; columns: number },
): string {
  const text = facts(work, { now, cost }).join("  ");
  // The last column stays free: some terminals begin a new line there.
  const width = Math.min(widestBar, columns - 1 - work.step.length - text.length - 4);
  if (width < narrowestBar) return `${work.step}  ${text}`.slice(0, Math.max(0, columns - 1));
  const full = work.total === 0 ? width : Math.floor((width * work.finished) / work.total);
  return `${work.step}  ${"━".repeat(full)}${"─".repeat(width - full)}  ${text}`;
}

function facts(work: Work, { now, cost }: { now: number; cost: number }): string[] {
  const rate = rateOf(work, now);
  const speed =
    rate === undefined
      ? []
      : [`${number3(rate)}/s`, `${duration((work.total - work.finished) / rate)} left`];
  return [`${work.finished}/${work.total}`, ...speed, ...missingAndCost(work, cost)];
}

/** Records a second of those made now; `undefined` while nothing can be said. */
function rateOf({ finished, reused, since }: Work, now: number): number | undefined {
  const made = finished - reused;
  return made > 0 && now > since ? (made * 1000) / (now - since) : undefined;
}

const tenthOf = ({ finished, total }: Work): number =>
  total === 0 ? 10 : Math.floor((10 * finished) / total);

function missingAndCost({ leftOut, unscored }: Work, cost: number): string[] {
  return [
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
    ...(unscored > 0 ? [`${unscored} unscored`] : []),
    ...(cost > 0 ? [`$${cost.toFixed(2)}`] : []),
  ];
}
