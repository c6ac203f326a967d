import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { sampleCaption } from "./captions.js";
import { labWords } from "./lab-words.js";
import { questionTypes, sampleQuestion } from "./questions.js";
import { sampleScene } from "./sample.js";
import { subjects } from "./vocabulary.js";

const words = new Set(labWords());

test("the words are sorted, each once, and some three hundred", () => {
  expect([...words]).toEqual(labWords());
  expect([...words].sort()).toEqual([...words]);
  expect(words.size).toBeGreaterThan(250);
  expect(words.size).toBeLessThan(400);
});

test("every caption and question is made of them, and short enough for the models", () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = randomFrom("words", seed);
    const scene = sampleScene(random, [...subjects.keys()]);
    const tokens = (text: string) => text.toLowerCase().match(/[a-z-]+|[^\sa-z-]/g) ?? [];
    const caption = tokens(sampleCaption(scene, "skewed", random));
    const questions = questionTypes.flatMap(
      (type) => sampleQuestion(type, scene, random)?.text ?? [],
    );
    // The lengths that training/models.json gives the texts of the two kinds of model.
    expect(caption.length).toBeLessThanOrEqual(32);
    for (const question of questions) expect(tokens(question).length).toBeLessThanOrEqual(48);
    for (const word of [...caption, ...questions.flatMap(tokens)]) {
      expect(words.has(word), word).toBe(true);
    }
  }
});
