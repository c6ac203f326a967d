import { join } from "node:path";
import type { ComparisonRow } from "../../../analysis/comparison/comparison-samples.js";
import { largestOf } from "../../../core/arrays.js";
import { asJson, type Json } from "../../../core/json.js";
import type { Metric } from "../../../core/metric.js";
import { commandRun } from "../../../files/hidden-runs.js";
import { KnownFiles } from "../../../images/known-files.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingAsGiven } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { collect } from "../run/collect.js";
import { budgetOf } from "../run/limits.js";
import { checkItems } from "../score/given-items.js";
import { ItemList } from "../score/item-list.js";
import { itemResults } from "../score/item-results.js";
import { chooseMetrics } from "../score/metric-choice.js";
import { preparedScores } from "../score/prepared-scores.js";
import { refuseOverBudget, refuseSilence, scoringKey } from "../score/score-given-items.js";
import { Tally } from "../score/score-tally.js";
import type { ItemPair } from "./pair-items.js";
import type { TwoSides } from "./side-items.js";

/** The scores of pairs by one metric. */
export interface MetricScores {
  readonly metric: Metric;
  /** In the order of the pairs, the first image's before the second's. */
  readonly rows: readonly ComparisonRow[];
}

/** The scores of pairs by each metric, and what was found when they were scored. */
export interface PairScores {
  readonly metrics: readonly MetricScores[];
  readonly sanity: { readonly json: Json; readonly verdict: string };
  /** The run that holds them; undefined where it is gone with the command. */
  readonly run: string | undefined;
}

/** How pairs are scored. */
export interface PairScoring {
  readonly metric: readonly string[];
  readonly model: readonly string[];
  readonly runtime: "native" | "wasm" | undefined;
  readonly "max-calls": number | undefined;
  readonly "max-cost": number | undefined;
  readonly "max-minutes": number | undefined;
  readonly "no-sanity": boolean;
  readonly "allow-blind": boolean;
}

/**
 * Scores the images of pairs as a run below .touchstone. The same images and metrics find it again, so that what was
 * scored is never asked for twice, whether the command was stopped or is given again with more labels.
 *
 * @param options.words after `touchstone`, that go on with it
 * @throws IncompleteError where a limit was met, or a metric scores nothing.
 */
export async function scorePairs(
  pairs: readonly ItemPair[],
  sides: TwoSides,
  {
    given,
    words,
    environment,
    output,
  }: {
    readonly given: PairScoring;
    readonly words: readonly string[];
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<PairScores> {
  const { workingDirectory } = environment;
  const { settings } = await loadConfiguration(environment);
  const hosting = hostingAsGiven(given, { settings, environment, output });
  const choice = await chooseMetrics({
    names: given.metric,
    modelTexts: given.model,
    otherwise: settings.score?.models ?? [],
    configured: settings.models,
    hosting,
    workingDirectory,
  });
  const named = pairs.flatMap(({ items }) =>
    items.map((item, at) => ({ ...item, others: { model: sides[at === 0 ? 0 : 1].name } })),
  );
  const { folder } = hosting.replies;
  const known = new KnownFiles(folder === undefined ? undefined : join(folder, "files"));
  // A broken image is found before a model is paid for.
  const decodes = choice.metrics.some(({ baseUrl }) => baseUrl !== undefined);
  const looking = { known, decodes, environment, output, skipBad: false };
  const items = await ItemList.of(named);
  try {
    await checkItems(items, looking);
    for (const { load } of choice.models) await load();
    const of = { compared: named.map(({ text }, at) => [items.looked(at).hash ?? "", text]) };
    const name = `compare-${await scoringKey(of, choice, environment)}`;
    const { place, shown, end } = await commandRun({ name }, environment);
    try {
      const budget = budgetOf(given);
      const scores = preparedScores(items, {
        place,
        command: words,
        copies: false,
        known,
        skipsBad: false,
        choice,
        hosting,
        callsAtOnce: Math.max(
          0,
          largestOf(choice.models.map(({ callsAtOnce = 0 }) => callsAtOnce)),
        ),
        budget,
        environment,
        output,
      });
      const { asked, callsAtOnce = 0, items: told, metricSteps: steps } = scores;
      const collected = await collect(scores.steps, { ...asked, callsAtOnce, items: told });
      const sanity = scores.checked(collected);
      const run = collected.store;
      const tally = new Tally(items);
      const rows = new Map<Metric, ComparisonRow[]>(choice.metrics.map((metric) => [metric, []]));
      let at = 0;
      for await (const batch of itemResults(items, { run, steps, limit: budget.over })) {
        for (const scored of batch) {
          tally.add(scored);
          const { metric, result } = scored;
          const item = Math.floor(at / steps.length);
          rows.get(metric)?.push({
            model: sides[item % 2 === 0 ? 0 : 1].name,
            prompt: pairs[Math.floor(item / 2)]?.prompt ?? "",
            score: result.status === "scored" ? result.value : null,
          });
          at++;
        }
      }
      refuseOverBudget(budget, tally, { run: shown });
      const judgesPhotographs = choice.models.every((model) => model.judgesPhotographs);
      refuseSilence(tally.summaries(), {
        skipped: 0,
        choice,
        judgesPhotographs,
        again: () => undefined,
      });
      // The one that was named first leads.
      const placeOf = (chosen: string) =>
        given.metric.findIndex((text) => chosen === text || chosen.startsWith(`${text}=`));
      return {
        metrics: [...choice.chosen]
          .sort((one, other) => placeOf(one.name) - placeOf(other.name))
          .map(({ metric }) => ({ metric, rows: rows.get(metric) ?? [] })),
        sanity: { json: asJson(sanity), verdict: sanity.verdict },
        run: shown,
      };
    } finally {
      await end();
    }
  } finally {
    await items.remove();
  }
}
