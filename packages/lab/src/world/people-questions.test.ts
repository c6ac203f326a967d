import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { parseSentence } from "./english.js";
import { labWords } from "./lab-words.js";
import { groups } from "./people.js";
import { askAboutGarment, peopleQuestionTypes } from "./people-questions.js";
import { everyQuestionType, type Question, sampleQuestion } from "./questions.js";
import { evenMix, samplePeopleScene } from "./sample.js";
import type { Scene } from "./scene.js";
import { falsify, tell } from "./statements.js";
import { attributesOf, groupsOf, holds } from "./truth.js";

interface Case extends Question {
  readonly scene: Scene;
}

const cases: Case[] = Array.from({ length: 500 }, (_, seed) => {
  const random = randomFrom("people questions", seed);
  const scene = samplePeopleScene(random);
  return everyQuestionType.flatMap((type) => {
    const question = sampleQuestion(type, scene, random);
    return question === undefined ? [] : [{ ...question, scene }];
  });
}).flat();

const ofType = (type: string) => cases.filter((one) => one.type === type);

test.each(everyQuestionType)("%s is answered yes and no", (type) => {
  const answers = ofType(type).map(({ answer }) => answer);
  expect(answers.filter(Boolean).length).toBeGreaterThan(answers.length * 0.2);
  expect(answers.filter((answer) => !answer).length).toBeGreaterThan(answers.length * 0.15);
});

test("a sentence that is asked for holds exactly where the answer is yes", () => {
  for (const { text, answer, scene } of [...ofType("binding"), ...ofType("statement")]) {
    const sentence = /"(.*)"/.exec(text)?.[1] ?? "";
    expect(holds(parseSentence(sentence), scene), text).toBe(answer);
  }
});

// Read from the text alone and looked up in the scene, apart from how the question was made.
test.each<[string, RegExp, (scene: Scene, word: string) => boolean | undefined]>([
  ["gender", /a (woman|man) or/, ({ person }, word) => person?.gender === word],
  ["skin", /person (\S+)-skinned/, ({ person }, word) => person?.skin === word],
  ["sign", /there (?:an? )?(.*)\?/, ({ person }, word) => person?.signs.includes(word)],
  [
    "garment",
    /there (?:an? )?(.*)\?/,
    ({ person, display }, word) => (display ?? person?.garments)?.some(({ kind }) => kind === word),
  ],
  [
    "garment-colour",
    /the (.*\S)\?/,
    ({ person, display }, words) =>
      (display ?? person?.garments)?.some(({ kind, colour }) => `${kind} ${colour}` === words),
  ],
  [
    "garment-pattern",
    /the (.*\S)\?/,
    ({ person, display }, words) =>
      (display ?? person?.garments)?.some(({ kind, pattern }) => `${kind} ${pattern}` === words),
  ],
])("%s questions have the scene's answer", (type, pattern, truth) => {
  const asked = ofType(type);
  expect(asked.length).toBeGreaterThan(100);
  for (const { text, scene, answer } of asked) {
    expect(truth(scene, pattern.exec(text)?.[1] ?? ""), text).toBe(answer);
  }
});

test("of one garment alone, what another has is a no; the whole picture may say yes", () => {
  const [skirt, twin] = [
    { kind: "skirt", colour: "red", pattern: "striped" },
    { kind: "skirt", colour: "blue", pattern: "dotted" },
  ];
  const asked = (alone: boolean) =>
    Array.from({ length: 200 }, (_, seed) => {
      const random = randomFrom("alone", seed);
      return askAboutGarment(skirt, [skirt, twin], { random, answer: false, alone });
    });
  expect(asked(true).filter(({ answer }) => answer)).toEqual([]);
  const yes = asked(false).filter(({ answer }) => answer);
  expect(yes.length).toBeGreaterThan(20);
  for (const { text } of yes) expect(text).toMatch(/dotted|blue/);
});

test("what is falsified is false, and mostly by the clothes", () => {
  const telling = { hypernym: 0.4, place: 0.5, extra: 0.8, attribute: 0.8 };
  let falsified = 0;
  for (let seed = 0; seed < 300; seed++) {
    const random = randomFrom("falsify people", seed);
    const scene = samplePeopleScene(random);
    const altered = falsify(tell(scene, telling, random), scene, random);
    if (altered === undefined) continue;
    falsified++;
    expect(holds(altered, scene)).toBe(false);
  }
  expect(falsified).toBeGreaterThan(260);
});

test("every word is the lab's, and texts are short enough for the models", () => {
  const words = new Set(labWords());
  for (const { text } of cases) {
    const tokens = text.toLowerCase().match(/[a-z-]+|[^\sa-z-]/g) ?? [];
    expect(tokens.length, text).toBeLessThanOrEqual(48);
    for (const token of tokens) expect(words.has(token), token).toBe(true);
  }
});

test("the mix of scenes is what was asked for", () => {
  const scenes = Array.from({ length: 300 }, (_, seed) =>
    samplePeopleScene(randomFrom("mix", seed), evenMix),
  );
  const displays = scenes.filter(({ display }) => display !== undefined).length;
  expect(displays / 300).toBeGreaterThan(0.13);
  expect(displays / 300).toBeLessThan(0.27);
  const only = samplePeopleScene(randomFrom("only"), { display: 1 });
  expect(only.display).toBeDefined();
  for (let seed = 0; seed < 50; seed++) {
    const scene = samplePeopleScene(randomFrom("attributed", seed), { attributed: 1 });
    const { person } = scene;
    if (person === undefined) throw new Error("Expected a person");
    const standings = groupsOf(person).flatMap((group) => groups.get(group)?.standing ?? []);
    expect(standings, `seed ${seed}`).not.toEqual([]);
    expect(attributesOf(person), `seed ${seed}`).not.toEqual([]);
    expect(scene.extras).not.toEqual([]);
  }
  expect(peopleQuestionTypes).toContain("binding");
});
