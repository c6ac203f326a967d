import { encode } from "fast-png";
import { beforeEach, describe, expect, it } from "vitest";
import { MemoryRun } from "../../../test/support/memory-run.js";
import { keyOf } from "../../core/keys.js";
import type { Metric } from "../../core/metric.js";
import type { GenerationRequest, ImageGenerator } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import type { Step } from "../../core/step.js";
import { buildPrompts } from "./build-prompts.js";
import { paintImages } from "./paint-images.js";
import { checkTruth, rateImages, scoreImages, type TruthCheck } from "./score-images.js";

/** Paints one pixel whose colour follows from prompt and seed. */
function generatorThat(
  paint: (request: GenerationRequest) => Uint8Array = ({ prompt, seed }) =>
    encode({ width: 1, height: 1, channels: 3, depth: 8, data: hashBytes(`${prompt} ${seed}`) }),
): ImageGenerator {
  return {
    identity: { provider: "test", model: "painter", revision: "1" },
    generate: async (request) => ({ bytes: paint(request), truth: { says: request.prompt } }),
  };
}
const hashBytes = (text: string) => new Uint8Array(Buffer.from(keyOf(text), "hex").subarray(0, 3));

function metricThat(score: (text: string) => number, name = "length", model = "test:a"): Metric {
  return {
    name,
    version: 1,
    convention: "plain",
    statistic: "number",
    model,
    range: [0, 100],
    direction: "higher",
    score: async ({ text }) => ({ value: score(text), question: `how long is ${text}` }),
  };
}

const ownTruth: TruthCheck = {
  name: "truth",
  version: 1,
  statistic: "1 if all holds",
  model: "test:truth",
  range: [0, 1],
  direction: "higher",
  check: ({ truth, text }) => ({
    value: JSON.stringify(truth) === JSON.stringify({ says: text }) ? 1 : 0,
  }),
};

let run: MemoryRun;
let prompts: RecordOf<"prompt">[];
beforeEach(async () => {
  run = new MemoryRun();
  const canDraw = (sentence: string) => (sentence.includes("penguin") ? "no penguin" : undefined);
  prompts = await run.do(
    buildPrompts({ seed: 0, size: { total: 40 }, domains: ["animals"], canDraw }),
  );
});

describe("painting", () => {
  it("makes the samples of every role, of prompts that were written and are in the split", async () => {
    const images = await run.do(
      paintImages({ generator: generatorThat(), seed: 0, samples: 2, splits: ["evaluation"] }),
    );
    const wanted = prompts.filter(
      ({ split, status }) => split === "evaluation" && status === "done",
    );
    expect(wanted.length).toBeGreaterThan(3);
    expect(images).toHaveLength(wanted.length * 2 * 4);
    for (const image of images) {
      const prompt = wanted.find(({ key }) => key === image.prompt);
      const members: Record<string, string> = {
        correct: "correct",
        adversarial: "adversarial",
        "control-correct": "controlCorrect",
        "control-adversarial": "controlAdversarial",
      };
      expect(image.text).toBe(Object(prompt)[members[image.role] ?? ""]);
      expect(image).toMatchObject({ status: "done", mediaType: "image/png", width: 1, height: 1 });
    }
  });

  it("gives the four images of a sample one seed, which another run seed changes", async () => {
    const seeds = async (seed: number) => {
      const images = await run.do(paintImages({ generator: generatorThat(), seed }));
      const samples = new Map<string, number[]>();
      for (const { prompt, sample, seed } of images) {
        const name = `${prompt} ${sample}`;
        samples.set(name, [...(samples.get(name) ?? []), seed]);
      }
      return [...samples.values()];
    };
    const first = await seeds(0);
    for (const seeds of first) expect([seeds.length, new Set(seeds).size]).toEqual([4, 1]);
    expect(new Set(first.flat()).size).toBe(first.length);
    expect(await seeds(0)).toEqual(first);
    expect((await seeds(1)).flat().filter((one) => first.flat().includes(one))).toEqual([]);
  });

  it("keeps what the generator says is in the picture apart from the record", async () => {
    const [image] = await run.do(paintImages({ generator: generatorThat(), seed: 0 }));
    if (image?.status !== "done") throw new Error("no image was made");
    expect(run.truths.get(image.key)).toEqual({ says: image.text });
    expect(JSON.stringify(image)).not.toContain("says");
  });

  it("calls what can't be opened no answer of the generator's", async () => {
    const generator = generatorThat(() => new TextEncoder().encode("<html>busy</html>"));
    const [image] = await run.do(paintImages({ generator, seed: 0, samples: 1 }));
    expect(image).toMatchObject({ status: "unscored", reason: "provider-error", retryable: true });
    expect(run.blobs.size).toBe(0);
  });
});

describe("scoring", () => {
  beforeEach(async () => {
    await run.do(paintImages({ generator: generatorThat(), seed: 0, samples: 1 }));
  });
  const doAll = async (steps: readonly Step<"score">[]) => {
    const scores: RecordOf<"score">[] = [];
    for (const step of steps) scores.push(...(await run.do(step)));
    return scores;
  };
  const imageOf = (score: RecordOf<"score">) => {
    const image = run.records.find(({ key }) => key === score.of);
    if (image?.type !== "image") throw new Error("a score of no image");
    return image;
  };

  it("puts the prompt's text to every image and metric", async () => {
    const metrics = [metricThat((text) => text.length), metricThat(() => 1, "one", "test:b")];
    const scores = await doAll(scoreImages({ metrics }));
    const images = run.records.filter(({ type }) => type === "image");
    expect(scores).toHaveLength(images.length * 2);
    for (const score of scores) {
      const prompt = prompts.find(({ key }) => key === imageOf(score).prompt);
      expect(prompt).toMatchObject({ text: score.text });
      const value = score.metric === "one" ? 1 : score.text.length;
      expect(score).toMatchObject({ status: "done", value, convention: "plain", range: [0, 100] });
      expect(score).toMatchObject({ question: `how long is ${score.text}` });
    }
  });

  it("tells two models under one metric's name apart", async () => {
    const metrics = [metricThat(() => 1, "same", "test:a"), metricThat(() => 2, "same", "test:b")];
    const scores = await doAll(scoreImages({ metrics }));
    expect(new Set(scores.map(({ key }) => key)).size).toBe(scores.length);
    for (const score of scores) {
      expect(score).toMatchObject({ value: score.model === "test:a" ? 1 : 2 });
    }
  });

  it("has a step of its own for each metric, named by metric, convention and model", () => {
    const skewed = metricThat(() => 1, "clip-score", "lab:dual-encoder-skewed@3fa9");
    const own = { ...metricThat(() => 1, "Mine / v2", "none"), convention: "é" };
    const steps = scoreImages({ metrics: [skewed, own, skewed] });
    expect(steps.map(({ name, part }) => `${name} ${part}`)).toEqual([
      "score-images clip-score-plain-lab-dual-encoder-skewed",
      "score-images mine-v2-none",
    ]);
    const other = { ...skewed, model: "lab:dual-encoder-skewed@77" };
    expect(() => scoreImages({ metrics: [skewed, other] })).toThrow(
      "received two of clip-score-plain-lab-dual-encoder-skewed",
    );
    const long = metricThat(() => 1, "x".repeat(300));
    expect(scoreImages({ metrics: [long] })[0]?.part).toMatch(/^x{100}[0-9a-f]{32}$/);
  });

  it("makes a number out of range or no number an answer that is none", async () => {
    const metrics = [metricThat(() => Number.NaN), metricThat(() => 101, "high")];
    for (const score of await doAll(scoreImages({ metrics }))) {
      expect(score).toMatchObject({ status: "unscored", reason: "unparsable" });
    }
  });

  it("rates each image against its own prompt", async () => {
    const rater = metricThat((text) => text.length, "rater");
    for (const score of await run.do(rateImages({ rater }))) {
      expect(score.text).toBe(imageOf(score).text);
    }
  });

  it("refuses a rater whose model is examined", () => {
    const rater = metricThat(() => 10, "rater");
    expect(() => rateImages({ rater, underEvaluation: [metricThat(() => 1, "examined")] })).toThrow(
      /test:a, which examined uses/,
    );
    const other = metricThat(() => 1, "examined", "test:b");
    expect(() => rateImages({ rater, underEvaluation: [other] })).not.toThrow();
  });

  it("asks the truth about each image's own prompt, and says where there is none", async () => {
    run.truths.delete([...run.truths.keys()][0] ?? keyOf(null));
    const checked = await run.do(checkTruth({ truth: ownTruth }));
    const [first, ...others] = checked;
    expect(first).toMatchObject({ status: "unscored", reason: "not-applicable" });
    expect(others.every((score) => score.status === "done" && score.value === 1)).toBe(true);
  });
});
