import type { CardSubject } from "../../../analysis/trust-card/trust-card-figure.js";
import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import { cardName, labCaveat } from "../../../benchmarks/run-cards.js";
import { largestOf } from "../../../core/arrays.js";
import { isProbability } from "../../../core/metric.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingFor } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { chooseMetrics } from "../score/metric-choice.js";
import { progressOf } from "../score/score-progress.js";
import { cardAsks } from "./card-asks.js";
import { keptRowsOf } from "./kept-rows.js";
import { paintLabSample } from "./lab-sample.js";
import { measureCard } from "./measure-card.js";

/** Answers of one metric in the lab. */
export interface AskedMetric {
  readonly subject: Omit<CardSubject, "source">;
  readonly rows: readonly CardRow[];
}

/** Paints pictures of the lab and asks each metric about them; with a folder answers are kept there. */
export async function askLab(
  {
    metric: names,
    model: modelTexts,
    pictures,
    run,
    seed,
  }: {
    readonly metric: readonly string[];
    readonly model: readonly string[];
    readonly pictures: number;
    readonly run: string | undefined;
    readonly seed: number;
  },
  { environment, output }: { readonly environment: Environment; readonly output: Output },
): Promise<AskedMetric[]> {
  const { workingDirectory, signal } = environment;
  const { settings } = await loadConfiguration(environment);
  const { metrics, models } = await chooseMetrics({
    names,
    modelTexts,
    workingDirectory,
    configured: settings.models,
    // A trial that a cache answers would be no trial.
    hosting: hostingFor(environment, {
      settings: settings.cache,
      useCache: false,
      tell: output.note,
    }),
  });
  for (const { load } of models) await load();
  const onPainted = progressOf("Painting:", pictures, { environment, output });
  const asked = cardAsks(await paintLabSample({ pictures, seed, onPainted, signal }));
  const found: AskedMetric[] = [];
  for (const metric of metrics) {
    const name = cardName({ ...metric, metric: metric.name });
    const rows = await measureCard({
      metric,
      asked,
      signal,
      kept: await keptRowsOf(run, { name, environment }),
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
    });
  }
  return found;
}
