import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { parseSentence } from "./english.js";
import {
  type QuestionType,
  questionTypes,
  sampleQuestion,
  statementQuestion,
} from "./questions.js";
import { sampleScene } from "./sample.js";
import type { Scene } from "./scene.js";
import { holds } from "./truth.js";
import { subjects } from "./vocabulary.js";

const scene: Scene = {
  subject: "dog",
  place: "meadow",
  extras: [
    {
      kind: "flower",
      count: 2,
      colour: "red",
      side: "right",
      depth: "background",
      size: "small",
    },
  ],
};

/** Every question of a type that some streams ask about the scene, with its answer. */
function asked(type: QuestionType, about = scene): Map<string, boolean> {
  const questions = Array.from({ length: 2000 }, (_, seed) =>
    sampleQuestion(type, about, randomFrom("questions", seed)),
  ).filter((question) => question !== undefined);
  return new Map(questions.map(({ text, answer }) => [text, answer]));
}

test.each([
  ["presence", "Is there a dog?", "Is there a cat?"],
  ["hypernym", "Is there an animal?", "Is there a piece of furniture?"],
  ["place", "Is this in a meadow?", "Is this on a kitchen counter?"],
  ["colour", "Are the flowers red?", "Are the flowers blue?"],
  ["count", "Are there exactly two flowers?", "Are there exactly four flowers?"],
  ["side", "Is the dog to the left of the flowers?", "Is the dog to the right of the flowers?"],
  ["depth", "Are there flowers in the background?", "Are there flowers in the foreground?"],
  ["size", "Are the flowers small?", "Are the flowers large?"],
] as const)("%s: yes and no", (type, yes, no) => {
  const questions = asked(type);
  expect(questions.get(yes)).toBe(true);
  expect(questions.get(no)).toBe(false);
});

test("one of a kind is asked about in the singular", () => {
  const one = {
    ...scene,
    extras: [{ kind: "box", count: 1, colour: "blue", side: "left" }],
  } as const;
  expect(asked("colour", one).get("Is the box blue?")).toBe(true);
  expect(asked("count", one).get("Is there exactly one box?")).toBe(true);
  expect(asked("side", one).get("Is the dog to the right of the box?")).toBe(true);
});

test("what a scene does not offer is not asked", () => {
  const bare = { ...scene, extras: [] };
  for (const type of ["colour", "count", "side", "depth", "size"] as const) {
    expect(asked(type, bare).size).toBe(0);
  }
});

test("a statement's answer is what holds, and yes is as frequent as no", () => {
  let yes = 0;
  let all = 0;
  for (let seed = 0; seed < 1000; seed++) {
    const random = randomFrom("statement", seed);
    const some = sampleScene(random, [...subjects.keys()]);
    const question = sampleQuestion("statement", some, random);
    if (question === undefined) continue;
    const sentence = /"(.*)"/.exec(question.text)?.[1] ?? "";
    expect(question.text).toBe(statementQuestion(sentence));
    expect(holds(parseSentence(sentence), some)).toBe(question.answer);
    yes += question.answer ? 1 : 0;
    all += 1;
  }
  expect(all).toBeGreaterThan(950);
  // Four standard errors of a fair coin.
  expect(Math.abs(yes / all - 0.5)).toBeLessThan(0.064);
});

test("every type has yes and no in equal shares", () => {
  for (const type of questionTypes) {
    const answers = Array.from({ length: 400 }, (_, seed) =>
      sampleQuestion(type, scene, randomFrom("balance", seed)),
    ).filter((question) => question !== undefined);
    const yes = answers.filter(({ answer }) => answer).length;
    expect(Math.abs(yes / answers.length - 0.5), type).toBeLessThan(0.1);
  }
});
