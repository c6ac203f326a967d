import { expect, test } from "vitest";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import type { JsonObject } from "../../core/json.js";
import { keyOf } from "../../core/keys.js";
import { peopleModel } from "../../core/models.js";
import { readTimedScores, scoreTimes, secondsApart } from "./score-times.js";

const metric = (name: string, model = `test:${name}`): EvaluatedMetric => ({
  id: name,
  metric: name,
  version: 1,
  statistic: "s",
  model,
  range: [0, 1],
  direction: "higher",
});
const metrics = [metric("small"), metric("large"), metric("people", peopleModel("0123abcd"))];
const images = [0, 1, 2].map((at) => ({ key: keyOf({ at }), prompt: keyOf({ prompt: at }) }));
const scores = metrics.flatMap(({ metric, model }) =>
  images.map(({ key: of }) => ({
    key: keyOf({ metric, of }),
    of,
    step: "score-images@1",
    trial: 0,
    metric,
    model,
    metricVersion: 1,
  })),
);

const asked = (at: number, startedAt: string, seconds: number): JsonObject => ({
  key: scores[at]?.key ?? "",
  kind: "asked",
  status: "done",
  startedAt: `2026-01-01T00:00:${startedAt}Z`,
  seconds,
});
const call = (at: number, about: JsonObject): JsonObject => ({
  key: scores[at]?.key ?? "",
  kind: "model-call",
  ...about,
});
const paid = { cached: false, cost: 0.5, usage: { inputTokens: 90, outputTokens: 10 } };

async function timedBy(...entries: readonly JsonObject[]) {
  const run = {
    async *trace() {
      yield* entries;
    },
  };
  return readTimedScores(run, { images, scores }, metrics);
}

// Two of the small one at a time, then one; the large one asked twice about its first image.
const whole = [
  asked(0, "00.000", 1),
  asked(1, "00.500", 1),
  asked(2, "09.000", 1.5),
  call(3, paid),
  call(3, paid),
  asked(3, "20.000", 4),
  call(4, { cached: true, cost: 0 }),
  asked(4, "24.000", 0.01),
  call(5, paid),
  asked(5, "30.000", 6),
];

test("seconds, scores a second, and calls with tokens and dollars of an image; none that a cache knew", async () => {
  const [small, large] = scoreTimes(await timedBy(...whole), metrics, { resamples: 100 });
  expect(small).toMatchObject({ metric: "small", n: 3, calls: null, tokens: null, cost: null });
  expect(small?.seconds.value).toBeCloseTo(3.5 / 3, 12);
  // At work from 0 to 1.5 s and from 9 to 10.5 s.
  expect(small?.perSecond).toBeCloseTo(1, 9);
  expect(large).toMatchObject({ n: 2, seconds: { value: 5 }, calls: 1.5, tokens: 150, cost: 0.75 });
  expect(large?.perSecond).toBeCloseTo(0.2, 9);
});

test("a call of unknown price leaves the cost unknown, and nothing traced leaves no row", async () => {
  const [large] = scoreTimes(
    await timedBy(call(3, { cached: false }), asked(3, "01.000", 1)),
    metrics,
    {},
  );
  expect(large).toMatchObject({ metric: "large", n: 1, calls: 1, tokens: null, cost: null });
  expect(scoreTimes(await timedBy(), metrics, {})).toEqual([]);
  const failed = { ...asked(0, "00.000", 1), status: "unscored" };
  expect(await timedBy(failed, { kind: "planned" })).toEqual([]);
});

test("two metrics are compared on the images that both were asked about", async () => {
  const rows = secondsApart(await timedBy(...whole), { metric: "small", than: "large" });
  expect(rows.map(({ value }) => value)).toEqual([-3, -4.5]);
  expect(rows.map(({ prompt }) => prompt)).toEqual([images[0]?.prompt, images[2]?.prompt]);
});

test("what people answered is taken over at once, which tells no time of theirs", async () => {
  expect(await timedBy(asked(6, "00.000", 0), asked(7, "00.000", 0.001))).toEqual([]);
});
