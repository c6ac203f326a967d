import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { labelLikelihoods } from "./label-likelihoods.js";
import { promptWeights } from "./prompt-weights.js";
import { softmaxInPlace } from "./softmax.js";
import { objectives } from "./weight-problem.js";

interface Problem {
  readonly labels: readonly number[];
  /** [label][prompt] */
  readonly answers: readonly (readonly number[])[];
  /** [label][group] */
  readonly belongs: readonly (readonly number[])[];
  readonly prompts: number;
  readonly groups: number;
  readonly lambda: number;
}

const problems: fc.Arbitrary<Problem> = fc
  .record({
    count: fc.integer({ min: 0, max: 12 }),
    prompts: fc.integer({ min: 1, max: 5 }),
    groups: fc.integer({ min: 1, max: 4 }),
    seed: fc.integer(),
    lambda: fc.constantFrom(0.1, 0.5, 1, 3),
    sure: fc.constantFrom(0, 0, 0.3),
  })
  .map(({ count, prompts, groups, seed, lambda, sure }) => {
    const random = randomFrom("properties", seed);
    const belongs = Array.from({ length: count }, () => {
      const line = Float64Array.from({ length: groups }, () => 6 * random.next());
      softmaxInPlace(line, 0, groups);
      return [...line];
    });
    const answers = Array.from({ length: count }, () =>
      Array.from({ length: prompts }, () =>
        random.chance(sure) ? random.integer(2) : random.integer(1001) / 1000,
      ),
    );
    const labels = answers.map(() => random.integer(2));
    return { labels, answers, belongs, prompts, groups, lambda };
  });

function fitted({ labels, answers, belongs, prompts, groups }: Problem) {
  const probabilities = Float64Array.from(answers.flat());
  const likelihoods = labelLikelihoods({ labels, probabilities, prompts });
  return { likelihoods, membership: Float64Array.from(belongs.flat()), groups };
}

const rowsOf = (weights: Float64Array, prompts: number) =>
  Array.from({ length: weights.length / prompts }, (_, at) => [
    ...weights.subarray(at * prompts, (at + 1) * prompts),
  ]);

/** Mixtures are known to their gap; where the objective is flat that is far less of the weights. */
const near = 1e-4;
function expectNear(found: readonly number[][], expected: readonly number[][]) {
  found.forEach((row, at) => {
    row.forEach((weight, prompt) => {
      expect(Math.abs(weight - (expected[at]?.[prompt] ?? Number.NaN))).toBeLessThan(near);
    });
  });
}

describe.each(objectives)("%s", (objective) => {
  const weigh = (problem: Problem) => {
    const { lambda, prompts } = problem;
    const found = promptWeights(fitted(problem), { objective, lambda });
    return { ...found, rows: rowsOf(found.weights, prompts) };
  };

  test("weights of every group lie on the simplex, to a certified gap", () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const { rows, dualityGap } = weigh(problem);
        expect(rows).toHaveLength(problem.groups);
        for (const row of rows) {
          expect(row.every((weight) => weight >= 0)).toBe(true);
          expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
        }
        expect(dualityGap).toBeLessThanOrEqual(1e-8);
      }),
    );
  });

  test("prompts in another order get the same weights", () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const turned = <Item>(line: readonly Item[]) => [...line.slice(1), ...line.slice(0, 1)];
        const other = weigh({ ...problem, answers: problem.answers.map(turned) });
        expectNear(other.rows, weigh(problem).rows.map(turned));
      }),
    );
  });

  test("groups in another order take their weights with them", () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const belongs = problem.belongs.map((line) => line.toReversed());
        expectNear(weigh({ ...problem, belongs }).rows, weigh(problem).rows.toReversed());
      }),
    );
  });

  test("labels swapped together with what the answers mean change nothing", () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const swapped = {
          ...problem,
          labels: problem.labels.map((label) => 1 - label),
          answers: problem.answers.map((line) => line.map((first) => 1 - first)),
        };
        expectNear(weigh(swapped).rows, weigh(problem).rows);
      }),
    );
  });

  test("no weights near by reach more than the value and its gap", () => {
    fc.assert(
      fc.property(problems, fc.integer(), (problem, seed) => {
        const { weights, objectiveValue, dualityGap } = weigh(problem);
        const random = randomFrom("near", seed);
        const other = weights.map((weight) => weight * Math.exp(random.between(-1, 1)));
        for (let group = 0; group < problem.groups; group++) {
          const line = other.subarray(group * problem.prompts, (group + 1) * problem.prompts);
          const sum = line.reduce((total, weight) => total + weight, 0);
          line.forEach((weight, at) => {
            line[at] = weight / sum;
          });
        }
        const value = (of: Float64Array) =>
          objectiveAt(problem, objective, rowsOf(of, problem.prompts));
        expect(value(weights)).toBeCloseTo(objectiveValue, 6);
        expect(value(other)).toBeLessThanOrEqual(objectiveValue + dualityGap + 1e-9);
      }),
    );
  });
});

/** The objective as it is written down, for weights of any kind. */
function objectiveAt(
  problem: Problem,
  objective: (typeof objectives)[number],
  weights: readonly (readonly number[])[],
): number {
  const { labels, answers, belongs, lambda } = problem;
  const likely = (label: number, prompt: number) => {
    const first = answers[label]?.[prompt] ?? 0;
    return Math.max(1e-15, labels[label] === 1 ? first : 1 - first);
  };
  let value = 0;
  weights.forEach((row, group) => {
    const entropy = row.reduce((sum, each) => sum - (each > 0 ? each * Math.log(each) : 0), 0);
    const support = belongs.reduce((sum, line) => sum + (line[group] ?? 0), 0);
    const scale = {
      "per-sample-entropy": support,
      "global-entropy": 1,
      "balanced-entropy": labels.length === 0 ? 0 : support / labels.length,
      mixture: 1,
    }[objective];
    value += lambda * scale * entropy;
    if (objective === "mixture") return;
    row.forEach((weight, prompt) => {
      labels.forEach((_, label) => {
        value += weight * (belongs[label]?.[group] ?? 0) * Math.log(likely(label, prompt));
      });
    });
  });
  if (objective !== "mixture") return value;
  return labels.reduce((sum, _, label) => {
    let marginal = 0;
    weights.forEach((row, group) => {
      row.forEach((weight, prompt) => {
        marginal += (belongs[label]?.[group] ?? 0) * weight * likely(label, prompt);
      });
    });
    return sum + Math.log(marginal);
  }, value);
}

test("a useless prompt loses its weight as labels grow, but not under entropy per sample", () => {
  const useless = (objective: (typeof objectives)[number], labels: number) => {
    // One prompt is right with 0.8, the other tosses a coin.
    const answers = Float64Array.from({ length: labels * 2 }, (_, at) =>
      at % 2 === 0 ? 0.8 : 0.5,
    );
    const likelihoods = labelLikelihoods({
      labels: new Float64Array(labels).fill(1),
      probabilities: answers,
      prompts: 2,
    });
    const membership = new Float64Array(labels * 2).fill(0.5);
    return promptWeights({ likelihoods, membership, groups: 2 }, { objective }).weights[1] ?? 1;
  };
  for (const objective of ["global-entropy", "balanced-entropy", "mixture"] as const) {
    const [few = 0, more = 0, many = 1] = [5, 50, 500].map((labels) => useless(objective, labels));
    expect(few).toBeGreaterThan(more);
    expect(more).toBeGreaterThan(many);
    expect(many).toBeLessThan(0.02);
  }
  const [few, many] = [5, 500].map((labels) => useless("per-sample-entropy", labels));
  // softmax of two mean log-likelihoods: 0.5 / (0.5 + 0.8).
  expect(few).toBeCloseTo(0.5 / 1.3, 12);
  expect(many).toBeCloseTo(0.5 / 1.3, 12);
});
