import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { nextPrompts, probabilityBounds, settledVerdict, verdictOf } from "./fewer-calls.js";
import { answerModel, chanceOfChange, forecastOf } from "./fewer-calls-forecast.js";
import {
  askedInRounds,
  mostRounds,
  replayFewerCalls,
  twoAnswersRule,
} from "./fewer-calls-replay.js";

const state = (weights: number[], answers: number[], asked: number[]) => ({
  weights: Float64Array.from(weights),
  answers: Float64Array.from(answers),
  asked: Uint8Array.from(asked),
});
const none = Number.NaN;

describe("bounds of an answer", () => {
  test("give the prompts that are left 0, or 1", () => {
    const bounds = probabilityBounds(state([0.6, 0.4], [0.9, none], [1, 0]));
    expect(bounds.low).toBeCloseTo(0.54, 12);
    expect(bounds.high).toBeCloseTo(0.94, 12);
  });

  test("give the weight of a prompt that was asked in vain to the others", () => {
    const bounds = probabilityBounds(state([0.5, 0.25, 0.25], [none, 0.8, none], [1, 1, 0]));
    expect(bounds.low).toBeCloseTo(0.4, 12);
    expect(bounds.high).toBeCloseTo(0.9, 12);
  });

  test("are everything while nobody has answered", () => {
    expect(probabilityBounds(state([1], [none], [1]))).toEqual({ low: 0, high: 1 });
  });
});

describe("verdicts", () => {
  test("need confidence at or above the threshold", () => {
    expect([0.9, 0.89, 0.11, 0.1].map((p) => verdictOf(p, 0.9))).toEqual([
      "a",
      "review",
      "review",
      "b",
    ]);
    expect([0.5, 0.49].map((p) => verdictOf(p, 0.5))).toEqual(["a", "b"]);
  });

  test("are settled where both bounds lead to the same", () => {
    expect(settledVerdict({ low: 0.91, high: 0.99 }, 0.9)).toBe("a");
    expect(settledVerdict({ low: 0.2, high: 0.8 }, 0.9)).toBe("review");
    expect(settledVerdict({ low: 0.2, high: 0.95 }, 0.9)).toBeUndefined();
  });

  test("ask the heaviest first, and as many as can settle it at the least", () => {
    // Even if the first says 0.5, the rest can bring it to 0.1 or 0.9, but not beyond.
    expect(nextPrompts(state([0.1, 0.5, 0.4], [none, none, none], [0, 0, 0]), 0.95)).toEqual([1]);
    // Nothing that the first two say can settle 0.5 to within less than the third's weight.
    expect(nextPrompts(state([0.34, 0.33, 0.33], [none, none, none], [0, 0, 0]), 0.5)).toEqual([
      0, 1,
    ]);
    expect(nextPrompts(state([0.6, 0.4], [0.9, none], [1, 0]), 0.5)).toEqual([]);
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const world = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 5 }))
  .chain(([prompts, pairs]) =>
    fc.record({
      prompts: fc.constant(prompts),
      weights: fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), {
        minLength: prompts * pairs,
        maxLength: prompts * pairs,
      }),
      answers: fc.array(fc.oneof({ weight: 6, arbitrary: share }, fc.constant(none)), {
        minLength: prompts * pairs,
        maxLength: prompts * pairs,
      }),
      threshold: fc.double({ min: 0.5, max: 1, noNaN: true }),
    }),
  );

const simplices = (weights: readonly number[], prompts: number) =>
  Float64Array.from(weights, (weight, at) => {
    const start = at - (at % prompts);
    return weight / weights.slice(start, start + prompts).reduce((sum, each) => sum + each, 0);
  });

describe("asking until nothing can change", () => {
  test("leads to the verdict of all prompts, whatever they say", () => {
    fc.assert(
      fc.property(world, ({ prompts, weights, answers, threshold }) => {
        const pairs = replayFewerCalls({
          weights: simplices(weights, prompts),
          answers: Float64Array.from(answers),
          prompts,
          rule: twoAnswersRule({ threshold }),
        });
        for (const { stopped, full, calls } of pairs) {
          expect(stopped.verdict).toBe(full.verdict);
          expect(calls).toBeLessThanOrEqual(prompts);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("asks nothing where everything would be reviewed or nothing has weight", () => {
    const weights = Float64Array.of(1, 0);
    const [pair] = replayFewerCalls({
      weights,
      answers: Float64Array.of(0.99, 0.2),
      prompts: 2,
      rule: twoAnswersRule({ threshold: 0.9 }),
    });
    expect(pair).toMatchObject({ calls: 1, stopped: { verdict: 1 } });
    expect(pair?.full.shares).toEqual(Float64Array.of(0.99));
  });
});

/** Prompts that see the same thing, each with noise of its own; some are no use. */
function madeUp(pairs: number, prompts: number, seed: number) {
  const random = randomFrom(seed, "made-up judge");
  const answers = new Float64Array(pairs * prompts);
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  for (let pair = 0; pair < pairs; pair++) {
    const clear = 2.5 * normal();
    for (let prompt = 0; prompt < prompts; prompt++) {
      const sees = prompt % 4 === 3 ? 0.3 : 1;
      answers[pair * prompts + prompt] = 1 / (1 + Math.exp(-(sees * clear + 1.2 * normal())));
    }
  }
  return answers;
}

describe("a forecast", () => {
  test("is the answer itself once all are asked", () => {
    const model = answerModel(madeUp(50, 3, 0), 3);
    const { probability, deviation } = forecastOf(
      model,
      state([0.5, 0.3, 0.2], [0.9, 0.7, 0.1], [1, 1, 1]),
    );
    expect(probability).toBeCloseTo(0.68, 12);
    expect(deviation).toBe(0);
  });

  test("follows prompts that agreed before", () => {
    // The second says what the first says; the third is a coin.
    const random = randomFrom("agreeing");
    const answers = Float64Array.from({ length: 600 });
    for (let pair = 0; pair < 200; pair++) {
      const first = random.next();
      answers.set([first, first, random.next()], pair * 3);
    }
    const model = answerModel(answers, 3);
    const { probability } = forecastOf(model, state([0, 1, 0], [0.9, none, none], [1, 0, 0]));
    expect(probability).toBeGreaterThan(0.85);
    const other = forecastOf(model, state([0, 0, 1], [0.9, none, none], [1, 0, 0]));
    expect(other.probability).toBeCloseTo(0.5, 1);
    expect(other.deviation).toBeGreaterThan(0.2);
  });

  test("knows the chance of another verdict of a normal answer", () => {
    // 1.959964 deviations from the border: 2.5 %.
    expect(chanceOfChange({ probability: 0.5 + 0.1959964, deviation: 0.1 }, 0.5)).toBeCloseTo(
      0.025,
      6,
    );
    expect(chanceOfChange({ probability: 0.95, deviation: 0 }, 0.9)).toBe(0);
    expect(chanceOfChange({ probability: 0.5, deviation: 0.1 }, 0.9)).toBeCloseTo(2 * 3.1671e-5, 8);
  });

  test("decides nothing before a prompt with weight has answered, whatever other items were", () => {
    // Every item so far was a clear yes, by every prompt.
    const prompts = 3;
    const before = Float64Array.from({ length: 60 * prompts }, (_, at) => 0.93 + (at % 7) / 100);
    const model = answerModel(before, prompts);
    const weights = Float64Array.of(0, 0.5, 0.5);
    const risk = 0.01;
    const untouched = state([...weights], [none, none, none], [0, 0, 0]);
    expect(chanceOfChange(forecastOf(model, untouched), 0.5)).toBeLessThan(risk);
    for (const threshold of [0.5, 0.8, 0.99]) {
      const rule = twoAnswersRule({ threshold, approximate: { model, risk } });
      expect(rule.next(untouched)).toHaveLength(1);
      expect(rule.conclude(untouched)).toEqual({ verdict: null, shares: Float64Array.of(none) });
      // One asked in vain, and one without weight: still nothing is known.
      const inVain = state([...weights], [0.99, none, none], [1, 1, 0]);
      expect(rule.next(inVain)).toEqual([2]);
      expect(rule.conclude(inVain).verdict).toBeNull();
      expect(rule.next(state([...weights], [0.99, none, none], [1, 1, 1]))).toEqual([]);
    }
    const [item] = replayFewerCalls({
      weights,
      prompts,
      answers: Float64Array.of(0.9, 0.96, 0.95),
      rule: twoAnswersRule({ threshold: 0.5, approximate: { model, risk } }),
    });
    expect(item).toMatchObject({ calls: 1, stopped: { verdict: 1 } });
  });

  test("is counted on labels as it judges: in the same rounds, whatever else was asked before", () => {
    const prompts = 3 * mostRounds;
    const model = answerModel(madeUp(40, prompts, 3), prompts);
    const rule = twoAnswersRule({ threshold: 0.8, approximate: { model, risk: 0.01 } });
    const items = 30;
    const answers = madeUp(items, prompts, 4);
    const weights = new Float64Array(items * prompts).fill(1 / prompts);
    const replayed = replayFewerCalls({ weights, answers, prompts, rule });
    for (const [item, { stopped, calls }] of replayed.entries()) {
      const said = answers.subarray(item * prompts, (item + 1) * prompts);
      // Some were asked by another command before.
      const known = state(
        Array.from({ length: prompts }, () => 1 / prompts),
        Array.from(said, (answer, at) => (at % 5 === 4 ? answer : none)),
        Array.from(said, (_, at) => (at % 5 === 4 ? 1 : 0)),
      );
      let rounds = 0;
      let asking = askedInRounds(rule, known);
      for (; asking.next.length > 0; asking = askedInRounds(rule, known)) {
        rounds++;
        for (const prompt of asking.next) {
          known.asked[prompt] = 1;
          known.answers[prompt] = said[prompt] ?? none;
        }
      }
      expect(rounds).toBeLessThanOrEqual(mostRounds);
      expect(calls % 3).toBe(0);
      expect(asking.state.asked.reduce((sum, each) => sum + each, 0)).toBe(calls);
      expect(rule.conclude(asking.state)).toEqual(stopped);
    }
  });

  test("saves calls and hardly changes verdicts of prompts that it has not seen", () => {
    const prompts = 20;
    const approximate = { model: answerModel(madeUp(100, prompts, 1), prompts), risk: 0.01 };
    const pairs = 500;
    const weights = new Float64Array(pairs * prompts).fill(1 / prompts);
    const answers = madeUp(pairs, prompts, 2);
    const rule = twoAnswersRule({ threshold: 0.8 });
    const replay = { weights, answers, prompts, full: rule };
    const exact = replayFewerCalls({ ...replay, rule });
    const near = replayFewerCalls({
      ...replay,
      rule: twoAnswersRule({ threshold: 0.8, approximate }),
    });
    const calls = (one: readonly { calls: number }[]) =>
      one.reduce((sum, each) => sum + each.calls, 0) / (pairs * prompts);
    const isEqual = ({ stopped, full }: (typeof near)[number]) => stopped.verdict === full.verdict;
    const equal = near.filter(isEqual).length / pairs;
    expect(exact.every(isEqual)).toBe(true);
    expect(calls(near)).toBeLessThan(calls(exact));
    expect(equal).toBeGreaterThan(0.97);
  });
});
