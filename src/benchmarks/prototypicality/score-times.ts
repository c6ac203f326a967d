import { z } from "zod";
import { meanByPrompt } from "../../analysis/inference/clustered-mean.js";
import type { IntervalOptions } from "../../analysis/inference/intervals.js";
import { distinctions, type EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { Key } from "../../core/keys.js";
import { isByPeople } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import type { Estimate } from "../../stats/estimate.js";
import type { ReportedRun } from "../run-records.js";

/** A score, and what it took to get it, as the run's trace says. */
export interface TimedScore {
  /** `EvaluatedMetric.id` */
  readonly metric: string;
  /** The score's record. */
  readonly score: Key;
  /** The image's record. */
  readonly id: Key;
  readonly prompt: Key;
  /** When it was asked for, in seconds. */
  readonly start: number;
  /** From there to the answer, with all waiting. */
  readonly seconds: number;
  /** Calls of hosted models; 0 where the trace names none, as of models within this process. */
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; undefined where a call did not say its price. */
  readonly cost: number | undefined;
}

/** What a score of a metric took, on average. */
export interface ScoreTime {
  /** `EvaluatedMetric.id` */
  readonly metric: string;
  /** Images whose score was not read from a cache. */
  readonly n: number;
  /** Seconds from asking to the answer. */
  readonly seconds: Estimate;
  /** Scores in a second while any was asked for. */
  readonly perSecond: number | null;
  /** Means of an image; null where no hosted model was called, dollars also where a price is unknown. */
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
}

const traced = z.object({
  key: z.string(),
  kind: z.enum(["asked", "model-call"]),
  status: z.string().optional(),
  startedAt: z.string().optional(),
  seconds: z.number().optional(),
  cached: z.boolean().optional(),
  cost: z.number().optional(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number().default(0) }).optional(),
});

interface TimedRecords {
  readonly images: readonly Pick<RecordOf<"image">, "key" | "prompt">[];
  readonly scores: readonly (Pick<RecordOf<"score">, "key" | "of" | "step" | "trial"> &
    Parameters<typeof distinctions>[0])[];
}

type Calls = Pick<TimedScore, "calls" | "tokens" | "cost"> & { readonly isCached: boolean };
const noCalls: Calls = { calls: 0, tokens: 0, cost: 0, isCached: false };

/**
 * The scores of images that a model was asked for: none that a cache knew or that came from
 * elsewhere. What people answered is taken over at once: it says nothing of their time.
 */
export async function readTimedScores(
  run: Pick<ReportedRun, "trace">,
  { images, scores }: TimedRecords,
  metrics: readonly EvaluatedMetric[],
): Promise<TimedScore[]> {
  const asked = new Map<string, Pick<TimedScore, "start" | "seconds">>();
  const made = new Map<string, Calls>();
  for await (const entry of run.trace()) {
    const { data } = traced.safeParse(entry);
    if (data === undefined) continue;
    const { key, kind, status, startedAt, seconds } = data;
    if (kind === "model-call") made.set(key, withCall(made.get(key) ?? noCalls, data));
    else if (status === "done" && startedAt !== undefined && seconds !== undefined) {
      asked.set(key, { start: Date.parse(startedAt) / 1000, seconds });
    }
  }
  const prompts = new Map(images.map(({ key, prompt }) => [key, prompt]));
  const ids = new Map(
    metrics
      .filter((metric) => !isByPeople(metric))
      .map((metric) => [nameOf({ ...metric, metricVersion: metric.version }), metric.id]),
  );
  return scores.flatMap((score): TimedScore[] => {
    const time = asked.get(score.key);
    const prompt = prompts.get(score.of);
    const metric = time && ids.get(nameOf(score));
    if (metric === undefined || prompt === undefined || time === undefined) return [];
    if (score.trial !== 0 || !score.step.startsWith("score-images@")) return [];
    const { isCached, ...calls } = made.get(score.key) ?? noCalls;
    return isCached ? [] : [{ metric, score: score.key, id: score.of, prompt, ...time, ...calls }];
  });
}

const nameOf = (score: Parameters<typeof distinctions>[0]) => JSON.stringify(distinctions(score));

function withCall(
  { calls, tokens, cost, isCached }: Calls,
  { cached = false, usage, cost: more }: z.output<typeof traced>,
): Calls {
  return {
    calls: calls + 1,
    tokens: tokens + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    cost: cost === undefined || more === undefined ? undefined : cost + more,
    isCached: isCached || cached,
  };
}

/** What a score of each metric took on average, metrics in the order given; none that nobody timed. */
export const scoreTimes = (
  timed: readonly TimedScore[],
  metrics: readonly EvaluatedMetric[],
  options: IntervalOptions,
): ScoreTime[] =>
  metrics.flatMap(({ id }): ScoreTime[] => {
    const own = timed.filter(({ metric }) => metric === id);
    if (own.length === 0) return [];
    const sum = (of: (score: TimedScore) => number) =>
      own.reduce((total, score) => total + of(score), 0);
    const isCalled = own.some(({ calls }) => calls > 0);
    const each = (total: number) => (isCalled ? total / own.length : null);
    const rows = own.map(({ seconds: value, ...about }) => ({ ...about, value }));
    const { n, ...seconds } = meanByPrompt(rows, { ...options, whenEmpty: "nothing was timed" });
    return [
      {
        metric: id,
        n,
        seconds,
        perSecond: perSecond(own),
        calls: each(sum(({ calls }) => calls)),
        tokens: sum(({ tokens }) => tokens) > 0 ? each(sum(({ tokens }) => tokens)) : null,
        cost: own.every(({ cost }) => cost !== undefined)
          ? each(sum(({ cost = 0 }) => cost))
          : null,
      },
    ];
  });

/** Scores by the time in which at least one was asked for; null where the clock saw none pass. */
function perSecond(timed: readonly TimedScore[]): number | null {
  const inOrder = timed.toSorted((a, b) => a.start - b.start);
  let [worked, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, seconds } of inOrder) {
    const end = start + seconds;
    worked += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return worked > 0 ? timed.length / worked : null;
}

/** Seconds of one metric minus those of another, for each image that both scored. */
export function secondsApart(
  timed: readonly TimedScore[],
  { metric, than }: { readonly metric: string; readonly than: string },
) {
  const others = new Map(
    timed.filter((score) => score.metric === than).map(({ id, seconds }) => [id, seconds]),
  );
  return timed.flatMap((score) => {
    const other = others.get(score.id);
    if (score.metric !== metric || other === undefined) return [];
    return [{ id: score.id, prompt: score.prompt, value: score.seconds - other }];
  });
}
