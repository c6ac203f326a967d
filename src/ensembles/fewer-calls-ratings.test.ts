import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideRating, ratingRule } from "./fewer-calls-ratings.js";
import { replayFewerCalls } from "./fewer-calls-replay.js";

describe("a rating that is decided", () => {
  test("is the most probable, of equals the lowest", () => {
    expect(decideRating([0.1, 0.6, 0.3], { ratings: 3, within: 0 })).toEqual({
      rating: 2,
      confidence: 0.6,
    });
    expect(decideRating([0.4, 0.2, 0.4], { ratings: 3, within: 0 }).rating).toBe(1);
  });

  test("is as sure as people's is likely to be near enough", () => {
    const { rating, confidence } = decideRating([0.1, 0.6, 0.25, 0.05], { ratings: 4, within: 1 });
    expect(rating).toBe(2);
    expect(confidence).toBeCloseTo(0.95, 12);
    // At the end of the scale there is one neighbour.
    expect(decideRating([0, 0, 0.25, 0.75], { ratings: 4, within: 1 }).confidence).toBe(1);
  });
});

const world = fc
  .record({
    prompts: fc.integer({ min: 1, max: 8 }),
    ratings: fc.integer({ min: 2, max: 5 }),
    within: fc.integer({ min: 0, max: 2 }),
    threshold: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .chain((shape) => {
    const positive = fc.double({ min: 0.001, max: 1, noNaN: true });
    const numbers = (count: number) => fc.array(positive, { minLength: count, maxLength: count });
    return fc.record({
      shape: fc.constant(shape),
      weights: numbers(shape.prompts),
      answers: fc.array(
        fc.option(
          numbers(shape.ratings).map((sharpened) => sharpened.map((one) => one ** 4)),
          { freq: 6 },
        ),
        { minLength: shape.prompts, maxLength: shape.prompts },
      ),
    });
  });

const simplex = (numbers: readonly number[]) => {
  const sum = numbers.reduce((total, each) => total + each, 0);
  return numbers.map((each) => each / sum);
};

describe("asking for ratings until nothing can change", () => {
  test("leads to the verdict of all prompts, whatever they say", () => {
    fc.assert(
      fc.property(world, ({ shape: { prompts, ratings, within, threshold }, weights, answers }) => {
        const [one] = replayFewerCalls({
          weights: Float64Array.from(simplex(weights)),
          answers: Float64Array.from(
            answers.flatMap((each) =>
              each === null ? Array<number>(ratings).fill(Number.NaN) : simplex(each),
            ),
          ),
          prompts,
          rule: ratingRule({ ratings, within, threshold }),
        });
        expect(one?.stopped.verdict).toBe(one?.full.verdict);
        expect(one?.calls).toBeLessThanOrEqual(prompts);
      }),
      { numRuns: 500 },
    );
  });

  test("asks the heaviest first and stops where they agree", () => {
    const answers = Float64Array.of(...[0.05, 0.05, 0.9], ...[0, 0.1, 0.9], ...[0.9, 0.1, 0]);
    const replay = { weights: Float64Array.of(0.3, 0.4, 0.3), answers, prompts: 3 };
    const [one] = replayFewerCalls({
      ...replay,
      rule: ratingRule({ ratings: 3, within: 0, threshold: 0.5 }),
    });
    expect(one).toMatchObject({ calls: 2, stopped: { verdict: 3 } });
    const [unsure] = replayFewerCalls({
      ...replay,
      rule: ratingRule({ ratings: 3, within: 0, threshold: 0.97 }),
    });
    expect(unsure?.stopped.verdict).toBeNull();
    expect(unsure?.calls).toBe(1);
  });

  test("leaves to people what nobody rated", () => {
    const [none] = replayFewerCalls({
      weights: Float64Array.of(1),
      answers: new Float64Array(3).fill(Number.NaN),
      prompts: 1,
      rule: ratingRule({ ratings: 3, within: 0, threshold: 0 }),
    });
    expect(none?.stopped.verdict).toBeNull();
  });
});
