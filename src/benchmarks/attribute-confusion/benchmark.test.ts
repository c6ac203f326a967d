import { encode } from "fast-png";
import { beforeEach, describe, expect, it } from "vitest";
import { attributeTruth } from "../../../packages/lab/src/truth/attribute-truth.js";
import { MemoryRun } from "../../../test/support/memory-run.js";
import { hashOf } from "../../core/keys.js";
import type { Metric, MetricInput } from "../../core/metric.js";
import type { ImageGenerator } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import { NoAnswer } from "../../core/unscored.js";
import { buildDescriptions, paintDescriptions } from "./build-descriptions.js";
import { checkAttributes, scoreDescriptions } from "./score-descriptions.js";

const outfit = (first: string, second: string) =>
  ({
    set: "outfits",
    frame: "A person wearing {list}.",
    entities: [
      { entity: "skirt", attributes: ["striped", first] },
      { entity: "jacket", attributes: ["plaid", second] },
    ],
  }) as const;
const descriptions = [outfit("red", "blue"), outfit("green", "white"), outfit("pink", "black")];

/** Paints a pixel, and says that the skirt is as told and the jacket striped. */
function painter(model: string): ImageGenerator {
  return {
    identity: { provider: "test", model, revision: "1" },
    async generate({ prompt, seed }) {
      const colour = new TextEncoder().encode(hashOf(new TextEncoder().encode(prompt + seed)));
      return {
        bytes: encode({ width: 1, height: 1, channels: 3, data: colour.slice(0, 3) }),
        truth: {
          style: "flat",
          defects: [],
          scene: {
            subject: "clothes",
            place: "shop",
            extras: [],
            display: [
              { kind: "skirt", colour: "red", pattern: "striped" },
              { kind: "jacket", colour: "blue", pattern: "striped" },
            ],
          },
          objects: [],
        },
      };
    },
  };
}

function metric(name: string, score: (input: MetricInput) => number): Metric {
  return {
    name,
    version: 1,
    statistic: "number",
    model: "test:a",
    direction: "higher",
    range: [0, 100],
    score: async (input) => ({ value: score(input) }),
  };
}

let run: MemoryRun;
let built: RecordOf<"description">[];
beforeEach(async () => {
  run = new MemoryRun();
  const cannotDraw = (text: string) => (text.includes("pink skirt") ? "no pink" : undefined);
  built = await run.do(buildDescriptions({ seed: 0, sets: ["outfits"], descriptions, cannotDraw }));
});

describe("building descriptions", () => {
  it("writes each with its attributes swapped, and leaves out what can't be drawn", () => {
    expect(built).toHaveLength(3);
    expect(built[0]).toMatchObject({
      status: "done",
      text: "A person wearing a striped red skirt and a plaid blue jacket.",
      swapped: "A person wearing a plaid blue skirt and a striped red jacket.",
      swappedEntities: [
        { entity: "skirt", attributes: ["plaid", "blue"] },
        { entity: "jacket", attributes: ["striped", "red"] },
      ],
    });
    expect(built[2]).toMatchObject({ status: "unscored", reason: "not-applicable" });
  });

  it("draws so many by the seed, of each set alike", async () => {
    const chosen = async (seed: number) =>
      await new MemoryRun().do(buildDescriptions({ seed, count: 41 }));
    const [one, same, other] = [await chosen(1), await chosen(1), await chosen(2)];
    expect(one.filter(({ set }) => set === "outfits")).toHaveLength(20);
    expect(one.filter(({ set }) => set === "objects")).toHaveLength(21);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });
});

describe("painting and scoring descriptions", () => {
  beforeEach(async () => {
    const generators = [painter("good"), painter("bad")];
    for (const step of paintDescriptions({ generators, seed: 5, samples: 2 })) await run.do(step);
  });

  it("makes images of each generator from seeds of its own, so that none counts twice", () => {
    const images = run.records.filter((record) => record.type === "image");
    expect(images).toHaveLength(8);
    expect(new Set(images.map(({ seed }) => seed)).size).toBe(8);
    expect(images.map(({ model }) => model)).toEqual([
      ...Array(4).fill("test:good@1"),
      ...Array(4).fill("test:bad@1"),
    ]);
  });

  it("scores each image against both texts, with the structure of each", async () => {
    const seen: MetricInput[] = [];
    const steps = scoreDescriptions({
      metrics: [metric("length", (input) => seen.push(input)), metric("other", () => 0)],
    });
    expect(steps.map(({ part }) => part)).toEqual(["length-test-a", "other-test-a"]);
    const [first] = steps;
    const scores = first === undefined ? [] : await run.do(first);
    expect(scores).toHaveLength(16);
    expect(seen.slice(0, 2).map(({ text, structure }) => [text, structure?.[0]])).toEqual([
      [
        "A person wearing a striped red skirt and a plaid blue jacket.",
        { entity: "skirt", attributes: ["striped", "red"] },
      ],
      [
        "A person wearing a plaid blue skirt and a striped red jacket.",
        { entity: "skirt", attributes: ["plaid", "blue"] },
      ],
    ]);
    expect(scores[1]?.structure?.[0]?.attributes).toEqual(["plaid", "blue"]);
    expect(new Set(scores.map(({ key }) => key)).size).toBe(16);
  });

  it("keeps why there is no score", async () => {
    const [step] = scoreDescriptions({
      metrics: [
        metric("dumb", () => {
          throw new NoAnswer("refused", "no");
        }),
      ],
    });
    const scores = step === undefined ? [] : await run.do(step);
    expect(scores[0]).toMatchObject({ status: "unscored", reason: "refused" });
  });

  it("asks the truth every reflection and leakage question", async () => {
    const [score] = await run.do(checkAttributes({ truth: attributeTruth }));
    // Own attributes: striped, red and blue hold, plaid does not. Leaked: striped on the jacket.
    expect(score).toMatchObject({
      metric: "attribute-truth",
      value: 6 / 8,
      details: { tp: 3, fn: 1, fp: 1, tn: 3, recall: 3 / 4, precision: 3 / 4 },
    });
  });

  it("has no reference where nobody knows what was painted", async () => {
    run.truths.clear();
    const scores = await run.do(checkAttributes({ truth: attributeTruth }));
    expect(scores).toHaveLength(8);
    expect(scores.every((score) => score.status === "unscored")).toBe(true);
  });
});
