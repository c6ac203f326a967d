import { expect, test } from "vitest";
import { evaluateLab } from "./evaluate-lab.js";

test("the committed models are measured on the same pictures, with progress", async () => {
  const stages: [string, number, number][] = [];
  const evaluation = await evaluateLab({
    scenes: 6,
    people: 0,
    models: ["filter-vqa", "dual-encoder-skewed"],
    clock: () => 0,
    progress: (doing, total) => {
      stages.push([doing, total, 0]);
      const stage = stages.length - 1;
      return (done) => {
        stages[stage] = [doing, total, done];
      };
    },
  });
  expect(stages).toEqual([
    ["Painting", 6, 6],
    ["Painting pairs", 6, 6],
    ["Asking lab:filter-vqa", 6, 6],
    ["Asking lab:dual-encoder-skewed", 12, 12],
  ]);
  expect(evaluation).toMatchObject({ scenes: 6, seed: 0, pairs: 6, threads: 1 });
  expect(evaluation.styles).toEqual({ noto: 2, fluent: 2, twemoji: 2 });
  expect(evaluation.warnings).toEqual(["Retrieval@1 of 100 needs 100 scenes, and there are 6"]);
  const [answerer, encoder] = evaluation.models;
  if (answerer?.kind !== "question-answerer" || encoder?.kind !== "dual-encoder") {
    throw new Error("Expected a question answerer and a dual encoder");
  }
  expect(answerer.accuracy.overall).toMatchObject({ n: evaluation.questions, unscored: 0 });
  expect(encoder.prototypePreference.overall).toMatchObject({ n: 6, unscored: 0 });
  expect(encoder.milliseconds).toMatchObject({ image: { n: 6 }, caption: { n: 12 } });
  for (const { revision, bytes } of evaluation.models) {
    expect(revision).toMatch(/^[0-9a-f]{12}$/);
    expect(Object.keys(bytes.files)).toContain("onnx/vision_model.onnx");
    expect(bytes.total).toBe(Object.values(bytes.files).reduce((sum, size) => sum + size, 0));
  }
  expect(evaluation.bytes).toBe((answerer.bytes.total ?? 0) + encoder.bytes.total);
});

test("without a dual encoder no pairs are painted; an unknown model is refused before any work", async () => {
  const started: string[] = [];
  const progress = (doing: string) => {
    started.push(doing);
    return () => {};
  };
  const evaluation = await evaluateLab({
    scenes: 2,
    people: 0,
    models: ["filter-vqa"],
    clock: () => 0,
    progress,
  });
  expect(evaluation).toMatchObject({ pairs: 0, warnings: [] });
  expect(started).toEqual(["Painting", "Asking lab:filter-vqa"]);
  const unknown = evaluateLab({ models: ["vqua" as "vqa"], clock: () => 0, progress });
  await expect(unknown).rejects.toThrow('but received "vqua"');
  expect(started).toHaveLength(2);
});
