import type { Sanity } from "../../../analysis/sanity/sanity-text.js";
import type { CardSubject } from "../../../analysis/trust-card/trust-card-figure.js";
import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import { cardName, labCaveat } from "../../../benchmarks/run-cards.js";
import { largestOf } from "../../../core/arrays.js";
import { asJson, type Json, type JsonObject } from "../../../core/json.js";
import { keyOf } from "../../../core/keys.js";
import { isProbability, type Metric, metricFacts, modelsBehind } from "../../../core/metric.js";
import { scorePicture } from "../../../metrics/score-picture.js";
import { inParallel } from "../../../runs/in-parallel.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { loadLab } from "../../lab.js";
import { hostingAsGiven } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { chooseMetrics } from "../score/metric-choice.js";
import { progressOf } from "../score/score-progress.js";
import { Spending } from "../score/spending.js";
import type { CardGiven } from "./card-arguments.js";
import { type Ask, type AskedRow, cardAsks } from "./card-asks.js";
import { type KeptRows, keptRowsOf } from "./kept-rows.js";
import { lookBefore } from "./look-before.js";

/** Answers of one metric in the lab. */
export interface AskedMetric {
  readonly subject: Omit<CardSubject, "source">;
  readonly rows: readonly CardRow[];
  /** What the models see that it asked. */
  readonly models: Sanity["models"];
}

/** Paints pictures of the lab and asks each metric about them; with a folder answers are kept there. */
export async function askLab(
  { metric: names, model: modelTexts, pictures, run, seed, ...given }: CardGiven,
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

interface Measuring {
  readonly metric: Metric;
  readonly asked: readonly AskedRow[];
  /** Answers of before, and where new ones are kept. */
  readonly kept: KeptRows;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly rowsAtATime: number;
  readonly signal: AbortSignal;
  readonly onDone: (done: number, unscored: number) => void;
}

/**
 * Asks the metric for every row of its card that is not known yet; rows come back in the order of
 * `asked`. No answer is null. A row that has a retryable one is not kept: it is asked again next time.
 */
async function measureCard({
  metric,
  asked,
  kept,
  clock,
  rowsAtATime,
  signal,
  onDone,
}: Measuring): Promise<CardRow[]> {
  const answered = async (one: AskedRow, key: string): Promise<CardRow> => {
    const start = clock();
    const spending = new Spending();
    let isRetryable = false;
    const answer = async ({ picture, text, trial }: Ask) => {
      const result = await scorePicture(metric, await picture(), text, {
        signal,
        trace: spending.note,
        ...(trial === undefined ? {} : { trial }),
      });
      if (result.status === "scored") return result.value;
      isRetryable ||= result.retryable;
      return null;
    };
    const found: { score?: number | null; correct?: number | null; adversarial?: number | null } =
      {};
    for (const [column, ask] of Object.entries(one.asks)) {
      found[column as keyof typeof one.asks] = await answer(ask);
    }
    const { calls, cost } = spending.toJSON();
    const row: CardRow = {
      ...one.row,
      ...found,
      ...(isProbability(metric) && one.row.label !== undefined
        ? { probability: found.score ?? null }
        : {}),
      ...(one.isTimed === true && typeof found.score === "number"
        ? { seconds: (clock() - start) / 1000 }
        : {}),
      ...(one.isTimed === true && calls > 0 && cost !== null ? { cost } : {}),
    };
    if (!isRetryable) await kept.add(key, row);
    return row;
  };
  // The first answer loads the model, which is no part of the time per image.
  const [first] = Object.values(asked.find(({ isTimed }) => isTimed)?.asks ?? {});
  if (first !== undefined && kept.size === 0) {
    await scorePicture(metric, await first.picture(), first.text, { signal, trace: () => {} });
  }
  const rows: CardRow[] = [];
  let done = 0;
  let unscored = 0;
  await inParallel(asked.entries(), {
    concurrency: rowsAtATime,
    signal,
    async work([at, one]) {
      const key = keyOfRow(metric, one);
      const row = kept.find(key) ?? (await answered(one, key));
      rows[at] = row;
      unscored += [row.score, row.correct, row.adversarial].includes(null) ? 1 : 0;
      onDone(++done, unscored);
    },
  });
  signal.throwIfAborted();
  return rows;
}

/** The first question that was not answered before; undefined where all were. */
function firstUnasked(
  metric: Metric,
  { asked, kept }: Pick<Measuring, "asked" | "kept">,
): Ask | undefined {
  const row = asked.find((one) => kept.find(keyOfRow(metric, one)) === undefined);
  return Object.values(row?.asks ?? {})[0];
}

const keyOfRow = (metric: Metric, one: AskedRow) =>
  keyOf({ ...asJson(metricFacts(metric)), ...askedFacts(one) });

/** Describes what is asked, without the pictures. */
function askedFacts({ row, asks }: AskedRow): JsonObject {
  const texts = Object.entries(asks).map(
    ([column, { shown, text, trial = 0 }]): Json => [column, shown, text, trial],
  );
  return { row: JSON.parse(JSON.stringify(row)), texts };
}
