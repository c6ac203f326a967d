import { availableParallelism } from "node:os";
import { sanitySkipped } from "../../../analysis/sanity/metric-sanity.js";
import type { Sanity } from "../../../analysis/sanity/sanity-text.js";
import { sanityVerdict } from "../../../analysis/sanity/sanity-text.js";
import { IncompleteError } from "../../../core/errors.js";
import type { Hash } from "../../../core/keys.js";
import { type Metric, modelsBehind } from "../../../core/metric.js";
import type { RecordStore } from "../../../core/record-store.js";
import { openStore } from "../../../files/open-store.js";
import type { KnownFiles } from "../../../images/known-files.js";
import { openPicture } from "../../../images/picture.js";
import { sightsOf } from "../../../models/sight/sights.js";
import type { Budget } from "../../../runs/budget.js";
import { checkRun } from "../../../runs/check-run.js";
import { type RunOptions, runSteps } from "../../../runs/run-steps.js";
import { tasksInHand } from "../../../runs/tasks-in-hand.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import type { Hosting } from "../../models/hosting.js";
import { version } from "../../program.js";
import type { Output } from "../../terminal/output.js";
import { forecastText } from "../run/forecast-text.js";
import { badImages } from "./given-items.js";
import { type MetricOfStep, scoreItems, takeImages } from "./item-steps.js";
import type { MetricChoice } from "./metric-choice.js";
import type { ScoreItem } from "./score-item.js";
import { progressOf } from "./score-progress.js";
import { Spending } from "./spending.js";

/** Scores of items, in the run that holds them. */
export interface CollectedScores {
  readonly run: RecordStore;
  readonly steps: readonly MetricOfStep[];
  readonly sanity: Sanity & { readonly verdict: string };
  readonly spending: Spending;
  /** How many results were asked for now, not found in the run. */
  readonly asked: number;
  /** Images that showed when they were read that they can't be. */
  readonly unread: ReadonlyMap<Hash | undefined, string>;
}

/**
 * Scores items in a run as far as the budget goes, and checks the metrics by placebos.
 *
 * @param options.copies whether the run keeps copies of the images
 * @param options.known where the images' files were looked at
 * @param options.skipsBad whether images that can't be read are unscored
 * @throws IncompleteError where something else than a limit stopped it; InputError naming images that can't
 *   be read, unless `skipsBad`.
 */
export async function collectScores(
  items: readonly ScoreItem[],
  {
    place,
    command,
    copies,
    known,
    skipsBad,
    choice: { chosen, metrics },
    hosting: { meter },
    budget,
    again,
    callsAtOnce,
    environment,
    output,
  }: {
    readonly place: string;
    /** The words after `touchstone` that go on with it. */
    readonly command: readonly string[];
    readonly copies: boolean;
    readonly known: KnownFiles;
    readonly skipsBad: boolean;
    readonly choice: MetricChoice;
    readonly hosting: Hosting;
    readonly budget: Budget;
    readonly again: Pick<RunOptions, "asksAgain" | "forgetReplies">;
    readonly callsAtOnce: number;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<CollectedScores> {
  const { signal } = environment;
  const words = shellWords(["touchstone", ...command]);
  const models = [...new Set(metrics.flatMap(modelsBehind))];
  const run = await openStore(place, {
    create: { command: words, seed: 0, software: `touchstone-t2i ${version()}`, models },
  });
  const taking = takeImages(items, { copies, known });
  const unread = new Map<Hash | undefined, string>();
  const steps = scoreItems(items, metrics, { unread, skipsBad });
  const byId = new Map(steps.map(({ id }, at) => [id, chosen[at]?.name ?? ""]));
  const spending = new Spending();
  const show = progressOf("Scoring:", items.length * metrics.length, { environment, output });
  const counts = { done: 0, unscored: 0, asked: 0 };
  const concurrency = Math.max(2 * availableParallelism(), tasksInHand(callsAtOnce));
  try {
    await runSteps({
      run,
      steps: [taking, ...steps.map(({ step }) => step)],
      concurrency,
      signal,
      // Metrics in hand are told to stop, too: nobody knows how long one of the user's own takes.
      cancel: signal,
      budget,
      resume: words,
      meter,
      ...again,
      openPicture,
      known,
      onTrace: spending.note,
      onEvent(event) {
        const name = byId.get(event.step);
        if (name === undefined) return;
        if (event.kind === "step-planned") {
          counts.done += event.reused;
          const { forecast } = event;
          if ((forecast?.calls ?? 0) > 0 && forecast !== undefined) {
            const which = steps.length === 1 ? "" : ` by ${name}`;
            output.note(`Scoring${which}: ${forecastText(forecast, budget.limits)}`);
          }
        }
        if (event.kind !== "record") return;
        counts.done++;
        counts.asked++;
        if (event.record.status === "unscored") counts.unscored++;
        show(counts.done, counts.unscored, spending.text);
      },
    });
  } catch (error) {
    if (unread.size > 0 && !skipsBad) {
      const named = items.map((item) => ({ ...item, problem: unread.get(item.hash) }));
      throw badImages(named);
    }
    const isAtLimit = error instanceof IncompleteError && budget.over !== undefined;
    if (!isAtLimit) throw error;
  }
  signal.throwIfAborted();
  const { sights } = meter;
  await sights?.recall(models);
  const names = new Map<Metric, string>(chosen.map(({ metric, name }) => [metric, name]));
  const sanity =
    sights?.isOn === true
      ? await checkRun(run, {
          steps: steps.map(({ step }) => step),
          meter,
          budget,
          signal,
          openPicture,
          concurrency,
          nameOf: (metric) => names.get(metric) ?? metric.name,
          onTrace: spending.note,
          onForecast: (name, foreseen) =>
            output.note(`Placebos of ${name}: ${forecastText(foreseen, budget.limits)}`),
        })
      : undefined;
  signal.throwIfAborted();
  return { run, steps, sanity: sanity ?? unchecked(), spending, asked: counts.asked, unread };

  function unchecked() {
    const skipped = Object.fromEntries(chosen.map(({ name }) => [name, sanitySkipped]));
    const found = { models: sightsOf(models, sights), metrics: skipped };
    return { ...found, verdict: sanityVerdict(found) };
  }
}
