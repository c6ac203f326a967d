import { sanitySkipped } from "../../../analysis/sanity/metric-sanity.js";
import { sanityVerdict } from "../../../analysis/sanity/sanity-text.js";
import type { Hash } from "../../../core/keys.js";
import { type Metric, modelsBehind } from "../../../core/metric.js";
import type { RunMakes } from "../../../core/recipe.js";
import type { KnownFiles } from "../../../images/known-files.js";
import { sightsOf } from "../../../models/sight/sights.js";
import type { Budget } from "../../../runs/budget.js";
import type { ToldSanity } from "../../../runs/run-sanity.js";
import type { AskingAgain } from "../../../runs/run-steps.js";
import type { CollectedRun } from "../../command-line/command.js";
import type { Environment } from "../../environment.js";
import type { Hosting } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import type { PreparedRun } from "../run/collect.js";
import { refuseBad } from "./given-items.js";
import type { ItemList } from "./item-list.js";
import { type MetricOfStep, scoreItems, takeImages } from "./item-steps.js";
import type { MetricChoice } from "./metric-choice.js";

/** A run that scores items. */
export interface PreparedScores extends Omit<PreparedRun, "conclude" | "close"> {
  readonly metricSteps: readonly MetricOfStep[];
  /** Images that showed when they were read that they can't be. */
  readonly unread: ReadonlyMap<Hash | undefined, string>;
  /**
   * What was found of models and metrics in the run as far as it was collected.
   *
   * @throws IncompleteError where something else than a limit stopped it
   */
  checked(collected: CollectedRun): ToldSanity;
}

/**
 * The steps that score items in a run.
 *
 * @param options.copies whether the run keeps copies of the images
 * @param options.known where the images' files were looked at
 * @param options.skipsBad whether images that can't be read are unscored; else they end the run and are named
 */
export function preparedScores(
  items: ItemList,
  {
    place,
    command,
    makes,
    copies,
    known,
    skipsBad,
    choice: { chosen, metrics },
    hosting: { meter },
    callsAtOnce,
    budget,
    again,
    environment,
    output,
  }: {
    readonly place: string;
    /** The words after `touchstone` that go on with it. */
    readonly command: readonly string[];
    readonly makes?: RunMakes;
    readonly copies: boolean;
    readonly known: KnownFiles;
    readonly skipsBad: boolean;
    readonly choice: MetricChoice;
    readonly hosting: Hosting;
    readonly callsAtOnce: number;
    readonly budget: Budget;
    readonly again?: AskingAgain;
    readonly environment: Environment;
    readonly output: Output;
  },
): PreparedScores {
  const unread = new Map<Hash | undefined, string>();
  const models = [...new Set(metrics.flatMap(modelsBehind))];
  const names = new Map<Metric, string>(chosen.map(({ metric, name }) => [metric, name]));
  const nameOf = (metric: Metric) => names.get(metric) ?? metric.name;
  const metricSteps = scoreItems(items, metrics, { unread, skipsBad, nameOf });
  const { signal } = environment;
  return {
    metricSteps,
    unread,
    steps: () => [takeImages(items, { copies, known }), ...metricSteps.map(({ step }) => step)],
    callsAtOnce,
    items: {
      doing: "Scoring",
      told: new Map(
        metricSteps.map(({ id, metric }) => [id, metricSteps.length === 1 ? "" : nameOf(metric)]),
      ),
      total: items.length * metrics.length,
      // Metrics in hand are told to stop, too: nobody knows how long one of the user's own takes.
      cancels: true,
      nameOf,
      async explain() {
        if (unread.size > 0 && !skipsBad) await refuseBad(items, ({ hash }) => unread.get(hash));
      },
    },
    asked: {
      run: place,
      command,
      ...(makes === undefined ? {} : { makes }),
      seed: 0,
      models,
      budget,
      resume: ["touchstone", ...command],
      meter,
      known,
      again,
      environment,
      output,
    },
    checked({ stopped, sanity }) {
      if (stopped !== undefined && budget.over === undefined) throw stopped;
      signal.throwIfAborted();
      if (sanity !== undefined) return sanity;
      const found = {
        models: sightsOf(models, meter.sights),
        metrics: Object.fromEntries(chosen.map(({ name }) => [name, sanitySkipped])),
      };
      return { ...found, verdict: sanityVerdict(found) };
    },
  };
}
