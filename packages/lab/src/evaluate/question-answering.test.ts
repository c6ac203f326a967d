import { encode } from "fast-png";
import { hashOf } from "touchstone-t2i/internal/core/keys.js";
import type { VisualQuestionAnswering } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { expect, test } from "vitest";
import type { Question } from "../world/questions.js";
import type { HeldOutPicture } from "./held-out.js";
import { evaluateAnswering } from "./question-answering.js";

/** Twenty pictures in two styles, each with a question about a count and one about a side. */
const pictures = Array.from({ length: 20 }, (_, index): HeldOutPicture => {
  const question = (type: "count" | "side", answer: boolean): Question => ({
    type,
    text: `${type} ${answer}?`,
    answer,
  });
  return {
    bytes: encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(index, 0, 0) }),
    style: index % 2 === 0 ? "noto" : "fluent",
    scene: { subject: "dog", place: "meadow", extras: [] },
    questions: [question("count", index < 5), question("side", index % 4 < 2)],
    captions: { skewed: "A dog.", balanced: "A dog." },
    sought: [],
  };
});

const identity = { provider: "test", model: "answerer" };

/** Answers by the question's words alone. */
const answerer = (probabilityOf: (question: string) => number): VisualQuestionAnswering => ({
  identity,
  async probabilityOfYes(_, questions) {
    return questions.map(probabilityOf);
  },
});

/** A clock that a tick moves on by two milliseconds each time it is read. */
function ticking() {
  let time = 0;
  return () => {
    time += 2;
    return time;
  };
}

const evaluate = (model: VisualQuestionAnswering, some = pictures) =>
  evaluateAnswering(model, { pictures: some, swaps: [], seed: 0, clock: ticking() });

test("who knows all is right, sure and calibrated", async () => {
  const report = await evaluate(answerer((question) => (question.includes("true") ? 1 : 0)));
  expect(report.accuracy.overall).toMatchObject({ n: 40, successes: 40, unscored: 0, value: 1 });
  expect(report.accuracy.types.count).toMatchObject({ n: 20, value: 1 });
  expect(report.accuracy.styles.fluent).toMatchObject({ n: 20, value: 1 });
  expect(report.yes.said).toEqual(report.yes.right);
  expect(report.yes.right).toMatchObject({ n: 40, successes: 15 });
  expect(report.calibration).toMatchObject({
    n: 40,
    ece: { value: 0, low: null, high: null },
    brier: { value: 0, low: null, high: null },
  });
  expect(report.calibration.bins[9]?.n).toBe(40);
  expect(report.milliseconds).toEqual({
    image: { median: 2, n: 20 },
    question: { median: 2, n: 40 },
  });
});

test("who always says yes is right as often as yes is, and too sure by the rest", async () => {
  const report = await evaluate(answerer(() => 0.9));
  expect(report.yes.said).toMatchObject({ n: 40, successes: 40 });
  expect(report.accuracy.types.count).toMatchObject({ n: 20, successes: 5 });
  expect(report.accuracy.types.side).toMatchObject({ n: 20, successes: 10 });
  expect(report.accuracy.overall.value).toBe(15 / 40);
  expect(report.calibration.ece.value).toBeCloseTo(0.9 - 15 / 40, 12);
  expect(report.calibration.brier.value).toBeCloseTo((15 * 0.01 + 25 * 0.81) / 40, 12);
  const { low, high } = report.calibration.ece;
  expect(low).toBeGreaterThan(0.3);
  expect(high).toBeLessThan(0.75);
});

test("what is not answered is counted apart, and never wrong", async () => {
  const model = answerer((question) => {
    if (question.startsWith("side")) throw new NoAnswer("not-applicable", "no");
    return question.includes("true") ? 0.8 : 0.2;
  });
  const report = await evaluate(model);
  expect(report.accuracy.types.side).toMatchObject({ n: 0, unscored: 20, value: null });
  expect(report.accuracy.overall).toMatchObject({ n: 20, unscored: 20, value: 1 });
  expect(report.calibration.n).toBe(20);
  expect(report.yes.said).toMatchObject({ n: 20, unscored: 20, successes: 5 });
  expect((await evaluate(model, [])).calibration.ece).toMatchObject({ value: null });
});

test("a fault is no missing answer", async () => {
  const broken = answerer(() => {
    throw new TypeError("broken");
  });
  await expect(evaluate(broken)).rejects.toThrow("broken");
});

test("every picture comes with its own questions, one at a time", async () => {
  const asked = new Map<string, string[]>();
  await evaluate({
    identity,
    async probabilityOfYes({ hash }, questions) {
      expect(questions.length).toBeLessThanOrEqual(1);
      asked.set(hash, [...(asked.get(hash) ?? []), ...questions]);
      return questions.map(() => 0.5);
    },
  });
  const last = pictures.length - 1;
  for (const [index, { bytes, questions }] of pictures.entries()) {
    const texts = questions.map(({ text }) => text);
    // The last picture is also the one to warm up with.
    const expected = index === last ? [texts[0], ...texts] : texts;
    expect(asked.get(hashOf(bytes))).toEqual(expected);
  }
});
