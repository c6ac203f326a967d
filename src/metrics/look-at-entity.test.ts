import { expect, test } from "vitest";
import { answersByHeart, boxLocalizer } from "../../test/support/oracle-models.js";
import { NoAnswer } from "../core/unscored.js";
import { pictureOfPixels } from "../images/pixels-picture.js";
import { LookMemory, localizedVqaScore, lookAtEntity } from "./localized-vqa-score.js";

const image = pictureOfPixels({
  width: 12,
  height: 8,
  data: Uint8Array.from({ length: 12 * 8 * 3 }, (_, at) => (at * 37) % 256),
});
const boxes = { skirt: { x: [0, 6], y: [0, 8] }, jacket: { x: [6, 12], y: [0, 4] } } as const;
const structure = [
  { entity: "skirt", attributes: ["red"] },
  { entity: "jacket", attributes: ["blue"] },
];
const text = "a red skirt and a blue jacket";
const answers = {
  "a red skirt?": 0.9,
  "a blue skirt?": 0.2,
  "a blue jacket?": 0.6,
  "a red jacket?": 0.7,
};

test("metrics that share a memory look and ask once, and score and trace as they would alone", async () => {
  const conventions = [
    { target: "f1", leakage: "paper" },
    { target: "precision", leakage: "paper" },
    { target: "f1", leakage: "reference" },
  ] as const;
  const scored = async (memory: LookMemory | undefined) => {
    const { model, seen } = answersByHeart(answers);
    const localizer = boxLocalizer(boxes);
    const models = { model, localizer: localizer.model, template: "{text}?" };
    const besides = memory === undefined ? [] : (["paper", "reference"] as const);
    const traced: unknown[] = [];
    const scores = [];
    for (const convention of conventions) {
      const metric = localizedVqaScore({ ...models, ...convention, memory, besides });
      const trace = (entry: unknown) => traced.push(entry);
      scores.push(await metric.score({ image, text, structure }, { trace }));
    }
    return { scores, traced, looks: seen.length, found: localizer.asked.length };
  };
  const alone = await scored(undefined);
  const together = await scored(new LookMemory());
  expect(together.scores).toEqual(alone.scores);
  expect(together.traced).toEqual(alone.traced);
  expect([alone.looks, alone.found]).toEqual([6, 6]);
  expect([together.looks, together.found]).toEqual([2, 2]);
});

test("a question of somebody else's without an answer costs nobody theirs", async () => {
  const { model, seen } = answersByHeart(answers);
  const asked = { image, entity: "skirt", questions: ["a red skirt?"] };
  const looker = {
    strategy: "none",
    localizer: undefined,
    memory: new LookMemory(),
    model: {
      ...model,
      async probabilityOfYes(
        ...[picture, questions, options]: Parameters<typeof model.probabilityOfYes>
      ) {
        if (questions.includes("a what?")) throw new NoAnswer("refused", "No");
        return model.probabilityOfYes(picture, questions, options);
      },
    },
  } as const;
  const look = await lookAtEntity({ ...asked, foreseen: ["a what?"] }, looker);
  expect([...look.answers]).toEqual([["a red skirt?", 0.9]]);
  expect(seen.map(({ questions }) => questions)).toEqual([["a red skirt?"]]);
  await expect(lookAtEntity({ ...asked, questions: ["a what?"] }, looker)).rejects.toMatchObject({
    reason: "refused",
  });
});
