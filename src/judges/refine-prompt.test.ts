import { describe, expect, test } from "vitest";
import { NoAnswer } from "../core/unscored.js";
import { scriptedChat } from "../testing/fake-models.js";
import { brokenRules, type RefineRules, readRefineTask, refinePrompt } from "./refine-prompt.js";

const rules: RefineRules = {
  words: 12,
  collage: ["collage", "side by side", "split-screen"],
  small: ["a", "of", "photo"],
  stereotypes: ["exotic", "slum*", "third world"],
};
const query = "a photo of a French person";

describe("the rules", () => {
  const broken = (prompt: string, mode: "verbatim" | "meaning" = "verbatim") =>
    brokenRules({ query, prompt, mode }, rules).map((problem) => problem.split(":")[0]);

  test.each([
    ["a photo of a French person in a park", []],
    ["A Photo of a French person, in an office", []],
    ["In an office: a photo of a French person.", []],
    ["a photo of a young French person", ["query"]],
    ["a photo of a Frenchperson", ["query"]],
    ["", ["empty"]],
    ["…", ["empty"]],
    ["a photo of a French person in a COLLAGE", ["collage"]],
    ["a photo of a French person, two views side-by-side", ["collage"]],
    [
      "a photo of a French person, exotic slumlike third-world wall",
      [...["stereotype-word", "stereotype-word", "stereotype-word"]],
    ],
    ["a photo of a French person with *exotic* food", ["stereotype-word"]],
    ["a photo of a French person one two three four five six seven", ["length"]],
  ])("verbatim: %s", (prompt, rulesBroken) => expect(broken(prompt)).toEqual(rulesBroken));

  test.each([
    ["A person from an office, French by birth", []],
    ["a smiling person in an office", ["query"]],
  ])("meaning: %s", (prompt, rulesBroken) =>
    expect(broken(prompt, "meaning")).toEqual(rulesBroken),
  );

  test("a word that the query has is no new one", () => {
    const exotic = "a photo of an exotic collage";
    expect(
      brokenRules({ query: exotic, prompt: `${exotic} here`, mode: "verbatim" }, rules),
    ).toEqual([]);
  });
});

const wording = {
  system: "Rewrite.",
  verbatim: "Keep it.",
  meaning: "Mean it.",
  answer: "Answer.",
  again: "Again.",
};
const task = {
  query,
  category: "geocultural",
  mode: "verbatim" as const,
  words: 12,
  images: 0,
  stereotypes: [{ item: "food", asks: "Food?", explanation: "A baguette." }],
};
const said = (prompt: string) => JSON.stringify({ prompt });
const right = `${query} in an office`;

const refine = (
  { model }: ReturnType<typeof scriptedChat>,
  more: Partial<Parameters<typeof refinePrompt>[0]> = {},
) => refinePrompt({ model, wording, rules, task, pictures: [], askings: 3, ...more });

describe("a rewrite", () => {
  test("that keeps the rules is taken, its white space put right", async () => {
    const chat = scriptedChat(said(` ${query}\n in an  office `));
    expect(await refine(chat)).toEqual({ prompt: right, askings: 1, refused: [] });
    expect(chat.asked[0] && readRefineTask(chat.asked[0])).toEqual({
      task,
      pictures: [],
      problems: [],
    });
  });

  test("that breaks a rule is asked for again with the reason, and the first that keeps them counts", async () => {
    const chat = scriptedChat(said("a person in a collage"), said(right));
    const found = await refine(chat);
    expect(found).toMatchObject({ prompt: right, askings: 2 });
    expect(found.refused).toEqual([
      {
        prompt: "a person in a collage",
        problems: [expect.stringMatching(/^query: /), expect.stringMatching(/^collage: "collage"/)],
      },
    ]);
    expect(chat.asked[1] && readRefineTask(chat.asked[1])?.problems).toEqual(
      found.refused[0]?.problems,
    );
  });

  test("that never keeps them is kept out, with all that was broken", async () => {
    const chat = scriptedChat(said("no"), said(`${query} in a slum`), said("no"));
    const error = await refine(chat).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error).toMatchObject({ reason: "unparsable", retryable: false });
    expect(error.message).toMatch(/asked 3 times: query: .*; stereotype-word: "slum\*"/);
    expect(chat.asked).toHaveLength(3);
  });

  test("a refusal is a refusal", async () => {
    const error = await refine(scriptedChat({ text: "No.", finish: "refused" })).catch((e) => e);
    expect(error).toMatchObject({ reason: "refused" });
  });

  test("in mode meaning may be checked by an embedder in place of the words", async () => {
    const vectors = new Map([
      [query, [1, 0]],
      ["someone from Paris", [0.9, 0.1]],
      ["a dog", [0, 1]],
    ]);
    const model = {
      identity: { provider: "test", model: "embedder" },
      embedText: async (text: string) => Float32Array.from(vectors.get(text) ?? []),
    };
    const chat = scriptedChat(said("a dog"), said("someone from Paris"));
    const found = await refine(chat, {
      task: { ...task, mode: "meaning" },
      similarity: { model, minimum: 0.8 },
    });
    expect(found).toMatchObject({ prompt: "someone from Paris", askings: 2 });
    expect(found).toHaveProperty("similarity", expect.closeTo(0.9 / Math.hypot(0.9, 0.1), 6));
    expect(found).toHaveProperty(
      "refused.0.problems.0",
      expect.stringContaining("similarity 0.00"),
    );
  });
});
