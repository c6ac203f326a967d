import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import type { AnswerRow } from "./answers.js";
import { type GroupingArm, groupingWorth } from "./grouping-worth.js";

const design = {
  prompts: { count: 4, draws: 2 },
  poolShare: 0.4,
  labels: [60],
  labelDraws: 2,
  clusters: [2],
  temperatures: [0.1],
  lambdas: [0.1, 1],
  objectives: ["global-entropy", "per-sample-entropy"],
  supportPerCluster: 256,
  restarts: 2,
  iterations: 100,
  resamples: 100,
  seed: 7,
} as const;

/** Two kinds of images, on each of which half of the prompts is right and the other half is wrong. */
function world({ isSeen }: { readonly isSeen: boolean }): AnswerRow[] {
  const random = randomFrom("grouping world", isSeen ? 1 : 0);
  return Array.from({ length: 300 }, (_, at) => {
    const kind = random.chance(0.5) ? "one" : "other";
    const label = random.chance(0.5) ? (1 as const) : (0 as const);
    const said = (isRight: boolean) => {
      const sure = 0.6 + 0.3 * random.next();
      return isRight === (label === 1) ? sure : 1 - sure;
    };
    const side = kind === "one" ? 1 : -1;
    const looks = isSeen ? side : random.between(-1, 1);
    return {
      id: String(at),
      label,
      kind,
      probabilities: [0, 1, 2, 3].map((prompt) => said(prompt < 2 === (kind === "one"))),
      embedding: [1, looks, random.between(-0.2, 0.2)],
    };
  });
}

const effects = (rows: readonly AnswerRow[]) => {
  const { byLabels, ...rest } = groupingWorth(rows, design);
  const [worth] = byLabels;
  return {
    ...rest,
    arms: worth?.arms.map(({ arm }) => arm),
    of: (arm: GroupingArm, than: GroupingArm) => {
      const found = worth?.contrasts.find((one) => one.arm === arm && one.than === than);
      if (found === undefined) throw new Error(`There is no ${arm} less ${than}`);
      return found.metrics.nll;
    },
  };
};

test("groups that images show are worth what true ones are; dealt at random they are worth nothing", () => {
  const { of, n, pool, kinds, fits } = effects(world({ isSeen: true }));
  expect([n + pool, kinds, fits]).toEqual([300, 2, 2 * 2 * 6]);
  expect(of("mmb", "bpe").high).toBeLessThan(-0.2);
  expect(of("oracle", "bpe").value).toBeCloseTo(of("mmb", "bpe").value ?? Number.NaN, 1);
  expect(of("free", "bpe").value).toBe(of("mmb", "bpe").value);
  expect(of("placebo", "bpe").high).toBeGreaterThan(0);
  expect(of("mmb", "placebo").high).toBeLessThan(-0.2);
});

test("where no embedding shows the kinds, only the truth helps; without it there is no oracle", () => {
  const rows = world({ isSeen: false });
  const { of } = effects(rows);
  expect(of("mmb", "bpe").high).toBeGreaterThan(0);
  expect(of("oracle", "bpe").high).toBeLessThan(-0.2);
  const { arms, kinds } = effects(rows.map(({ kind: _, ...row }) => row));
  expect([kinds, arms]).toEqual([0, ["average", "bpe", "mmb", "placebo", "free"]]);
});
