import type { Sanity } from "../../../analysis/sanity/sanity-text.js";
import type { CardSubject } from "../../../analysis/trust-card/trust-card-figure.js";
import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import { cardName, labCaveat } from "../../../benchmarks/run-cards.js";
import { largestOf } from "../../../core/arrays.js";
import { isProbability, modelsBehind } from "../../../core/metric.js";
import type { Given } from "../../../core/options.js";
import type { sanityArguments } from "../../command-line/sanity-arguments.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { loadLab } from "../../lab.js";
import { hostingAsGiven } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { chooseMetrics } from "../score/metric-choice.js";
import { progressOf } from "../score/score-progress.js";
import { cardAsks } from "./card-asks.js";
import { keptRowsOf } from "./kept-rows.js";
import { lookBefore } from "./look-before.js";
import { firstUnasked, measureCard } from "./measure-card.js";

/** Answers of one metric in the lab. */
export interface AskedMetric {
  readonly subject: Omit<CardSubject, "source">;
  readonly rows: readonly CardRow[];
  /** What the models see that it asked. */
  readonly models: Sanity["models"];
}

/** Paints pictures of the lab and asks each metric about them; with a folder answers are kept there. */
export async function askLab(
  {
    metric: names,
    model: modelTexts,
    pictures,
    run,
    seed,
    ...given
  }: {
    readonly metric: readonly string[];
    readonly model: readonly string[];
    readonly pictures: number;
    readonly run: string | undefined;
    readonly seed: number;
  } & Given<typeof sanityArguments>,
  { environment, output }: { readonly environment: Environment; readonly output: Output },
): Promise<AskedMetric[]> {
  const { workingDirectory, signal } = environment;
  const lab = await loadLab();
  const { settings } = await loadConfiguration(environment);
  // A trial that a cache answers would be no trial.
  const hosting = hostingAsGiven({ ...given, "no-cache": true }, { settings, environment, output });
  const { metrics, models } = await chooseMetrics({
    names,
    modelTexts,
    workingDirectory,
    configured: settings.models,
    hosting,
  });
  for (const { load } of models) await load();
  const onPainted = progressOf("Painting:", pictures, { environment, output });
  const asked = cardAsks(await lab.sample({ pictures, seed, onPainted, signal }));
  const found: AskedMetric[] = [];
  for (const metric of metrics) {
    const name = cardName({ ...metric, metric: metric.name });
    const kept = await keptRowsOf(run, { name, environment });
    const first = firstUnasked(metric, { asked, kept });
    const seen = await lookBefore(hosting, {
      names: modelsBehind(metric),
      models: models.map(({ model }) => model),
      run,
      ask:
        first &&
        (async () => metric.score({ image: await first.picture(), text: first.text }, { signal })),
      signal,
    });
    const rows = await measureCard({
      metric,
      asked,
      signal,
      kept,
      clock: () => performance.now(),
      // One after another where nothing waits for a network: times are then those of one image.
      rowsAtATime: Math.max(1, largestOf(models.map(({ callsAtOnce = 1 }) => callsAtOnce))),
      onDone: progressOf(`Asking ${name}:`, asked.length, { environment, output }),
    });
    const { direction } = metric;
    found.push({
      subject: {
        name,
        direction,
        isProbability: isProbability(metric),
        isPairwise: false,
        reference: "the lab's truth",
        caveat: labCaveat,
        absence: "No call with a known price was made.",
      },
      rows,
      models: seen,
    });
  }
  return found;
}
