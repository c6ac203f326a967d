import type { Forecast, RunEvent } from "../../core/step.js";
import type { UnscoredReason } from "../../core/unscored.js";
import type { Limits } from "../../runs/budget.js";
import type { Environment } from "../environment.js";
import { forecastText, foreseenStep } from "../verbs/run/item-progress.js";
import type { Journey } from "./journey.js";
import { dollars, duration, number3 } from "./numbers.js";
import type { Output } from "./output.js";

const redrawMilliseconds = 100;
/** Plain lines of one step are at least so far apart. */
const plainMilliseconds = 1000;
const widestBar = 30;
const narrowestBar = 8;
const narrowestName = 20;

/** How a step stands while it is at work. */
interface Work {
  readonly step: string;
  readonly journey: Journey | undefined;
  readonly total: number;
  readonly reused: number;
  readonly since: number;
  finished: number;
  /** Records without an answer that nobody was asked for, such as a prompt that can't be drawn. */
  leftOut: number;
  /** The others without an answer, by reason. */
  readonly unscored: Map<string, number>;
  /** Answers that a cache gave. */
  cached: number;
  /** The last tenth of the total that a plain line told of, and when. */
  tenth: number;
  told: number;
}

/** A line about a step, with its place on the way and the time that is left of all. */
export function onTheWay(line: string, journey: Journey | undefined): string {
  if (journey === undefined) return line;
  const left = journey.secondsLeft;
  const ahead = left === undefined || left < 1 ? "" : `; ${duration(left)} left in all`;
  return `${journey.place}: ${line}${ahead}`;
}

/**
 * Shows a run on stderr; hand the result to `runSteps` as `onEvent`. On a terminal a line is
 * redrawn, at most ten times a second, and each step leaves one line behind; where there is none,
 * or NO_COLOR or CI is set, a plain line tells of the start, every tenth (at most one a second), and
 * the end of a step. On a journey each step says where it stands in it and how long all of it will
 * take; where there is no terminal, each leaves one line.
 *
 * @example await runSteps({ run, steps, openPicture, onEvent: progress({ output, environment }) })
 */
export function progress({
  output,
  environment,
  journey,
  limits = {},
  titles = new Map(),
}: {
  output: Pick<Output, "note" | "progress" | "foresee">;
  environment: Pick<Environment, "now" | "stderr" | "variables" | "watcher">;
  /** Where a command that collects several runs stands in all that it does. */
  journey?: Journey | undefined;
  /** Limits of spending; with any, each step first says what it will need. */
  limits?: Limits;
  /** What steps do, in words for everybody, by their ids; without one a step is told by its id. */
  titles?: ReadonlyMap<string, string>;
}): (event: RunEvent) => void {
  const { stderr, variables, watcher } = environment;
  const isBar =
    watcher !== undefined || (stderr.isTerminal && !variables.NO_COLOR && !variables.CI);
  const now = () => environment.now().getTime();
  const titleOf = (id: string) => titles.get(id) ?? id;
  let work: Work | undefined;
  let spent = 0;
  let byForecast = 0;
  let drawn = Number.NEGATIVE_INFINITY;

  /** US dollars so far; empty where there are none. */
  const cost = () =>
    spent === 0 ? "" : `${dollars(spent)}${byForecast === 0 ? "" : ` (${byForecast} by forecast)`}`;
  const draw = (current: Work) => {
    if (now() - drawn < redrawMilliseconds) return;
    drawn = now();
    output.progress(barLine(current, { now: now(), cost: cost(), columns: stderr.columns }));
  };
  return (event) => {
    if (event.kind === "step-kept") {
      const { step, differences } = event;
      output.note(`${titleOf(step)}: kept as it was finished; ${differences.join("; ")}`);
    }
    if (event.kind === "images-broken") {
      const { step, images, example } = event;
      const are = images === 1 ? "1 image is" : `${images} images are`;
      output.note(`${titleOf(step)}: ${are} gone or damaged, and made anew: ${example}`);
    }
    if (event.kind === "step-planned" || event.kind === "step-unforeseen") {
      const ahead = foreseenStep(titleOf(event.step), event);
      if (ahead !== undefined) output.foresee(ahead);
    }
    if (event.kind === "step-planned") {
      const { step: id, total, reused, reusedUnscored } = event;
      journey?.begin(id, total === 0 ? 1 : reused / total);
      const step = journey?.title || titleOf(id);
      work = {
        step,
        journey,
        total,
        reused,
        since: now(),
        finished: reused,
        leftOut: 0,
        unscored: new Map(),
        cached: 0,
        tenth: 0,
        told: now(),
      };
      for (const [reason, many] of Object.entries(reusedUnscored))
        countUnscored(work, reason, many);
      work.tenth = tenthOf(work);
      const { estimatedCost: cost, forecast } = event;
      const isToBeTold =
        cost !== undefined ||
        (forecast?.calls ?? 0) > 0 ||
        isLimited(limits) ||
        !(isBar || journey);
      if (total > reused && isToBeTold) {
        output.note(startLine(work, { cost, forecast, limits }));
      }
      if (isBar && total > 0) draw(work);
    }
    if (work === undefined) return;
    if (event.kind === "record") {
      work.finished++;
      if (event.record.status === "unscored") countUnscored(work, event.record.reason, 1);
      if (event.cached) work.cached++;
      spent += event.cost ?? 0;
      byForecast += event.byForecast ?? 0;
      journey?.reach(work.finished / work.total);
      if (isBar) return draw(work);
      if (journey !== undefined) return;
      if (tenthOf(work) === work.tenth || work.finished === work.total) return;
      if (now() - work.told < plainMilliseconds) return;
      work.told = now();
      work.tenth = tenthOf(work);
      const parts = [`${work.tenth * 10} %`, ...facts(work, { now: now(), cost: cost() })];
      output.note(`${work.step}: ${parts.join(", ")}`);
    }
    if (event.kind === "step-finished") {
      journey?.reach(1);
      output.note(onTheWay(endLine(work, { now: now(), cost: cost() }), journey));
      work = undefined;
      drawn = Number.NEGATIVE_INFINITY;
    }
  };
}

const notAsked: UnscoredReason = "not-applicable";

function countUnscored(work: Work, reason: string, many: number): void {
  if (reason === notAsked) work.leftOut += many;
  else work.unscored.set(reason, (work.unscored.get(reason) ?? 0) + many);
}

const isLimited = (limits: Limits) => Object.keys(limits).length > 0;

function startLine(
  { step, total, reused }: Work,
  {
    cost,
    forecast,
    limits,
  }: { cost: number | undefined; forecast: Forecast | undefined; limits: Limits },
): string {
  const todo =
    reused === 0
      ? `${step}: ${total} to do`
      : `${step}: ${total - reused} of ${total} to do, the others are there already`;
  if (forecast !== undefined && forecast.calls > 0 && cost === undefined) {
    return `${todo}, ${forecastText(forecast, limits)}`;
  }
  const unknown = limits.cost === undefined ? [] : ["the price of a call is not known yet"];
  return [
    todo,
    ...(cost === undefined ? unknown : [`about ${dollars(cost)} by what they cost so far`]),
    ...(limits.calls !== undefined && limits.calls < total - reused
      ? [`to stop after ${limits.calls}`]
      : []),
    ...(limits.cost !== undefined && limits.cost < (cost ?? 0)
      ? [`to stop at ${dollars(limits.cost)}`]
      : []),
  ].join(", ");
}

function endLine(work: Work, { now, cost }: { now: number; cost: string }): string {
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
  { now, cost, columns }: { now: number; cost: string; columns: number },
): string {
  const text = facts(work, { now, cost }).join("  ");
  // The last column stays free: some terminals begin a new line there.
  const place = work.journey === undefined ? "" : `${work.journey.place}  `;
  const name = nameEnd(
    work.step,
    Math.max(narrowestName, columns - place.length - text.length - 3),
  );
  const step = `${place}${name}`;
  const width = Math.min(widestBar, columns - 1 - step.length - text.length - 4);
  if (width < narrowestBar) return `${step}  ${text}`.slice(0, Math.max(0, columns - 1));
  const full = work.total === 0 ? width : Math.floor((width * work.finished) / work.total);
  return `${step}  ${"━".repeat(full)}${"─".repeat(width - full)}  ${text}`;
}

function facts(work: Work, { now, cost }: { now: number; cost: string }): string[] {
  const rate = rateOf(work, now);
  const speed =
    rate === undefined ? [] : [`${number3(rate)}/s`, `${duration(secondsLeft(work, rate))} left`];
  return [`${work.finished}/${work.total}`, ...speed, ...missingAndCost(work, cost)];
}

/** Records a second of those made now; `undefined` while nothing can be said. */
function rateOf({ finished, reused, since }: Work, now: number): number | undefined {
  const made = finished - reused;
  return made > 0 && now > since ? (made * 1000) / (now - since) : undefined;
}

/** Of all steps on a journey, else of this one. */
const secondsLeft = ({ journey, total, finished }: Work, rate: number): number =>
  journey?.secondsLeft ?? (total - finished) / rate;

const tenthOf = ({ finished, total }: Work): number =>
  total === 0 ? 10 : Math.floor((10 * finished) / total);

function missingAndCost({ leftOut, unscored, cached }: Work, cost: string): string[] {
  return [
    ...(cached > 0 ? [`${cached} cached`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
    ...(unscored.size > 0 ? [unscoredText(unscored)] : []),
    ...(cost === "" ? [] : [cost]),
  ];
}

/** "3 unscored (2 timeout, 1 refused)" */
function unscoredText(unscored: ReadonlyMap<string, number>): string {
  const all = [...unscored.values()].reduce((sum, many) => sum + many, 0);
  const [only, ...others] = unscored.keys();
  if (others.length === 0) return `${all} unscored (${only})`;
  const reasons = [...unscored].sort((one, other) => other[1] - one[1]);
  return `${all} unscored (${reasons.map(([reason, many]) => `${many} ${reason}`).join(", ")})`;
}

/**
 * A name that is too long by its end, which tells one metric's step from another's: its last whole words,
 * where one fits.
 *
 * @example nameEnd("score-images-clip-score", 12) // "…-clip-score"
 * @example nameEnd("Painting people (lab:painter)", 18) // "… (lab:painter)"
 */
export const nameEnd = (name: string, width: number): string =>
  name.length > width ? `…${name.slice(1 - width).replace(/^\S* (?=\S)/, " ")}` : name;
