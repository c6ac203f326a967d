import { loadQueries, queryText } from "touchstone-t2i/internal/benchmarks/stereotypes/queries.js";
import { loadRefineData } from "touchstone-t2i/internal/benchmarks/stereotypes/refine-queries.js";
import {
  brokenRules,
  refineAgain,
  refineMessages,
} from "touchstone-t2i/internal/judges/refine-prompt.js";
import { expect, test } from "vitest";
import { skewedScene } from "../painter/skewed-scene.js";
import { stereotypedTerms } from "../stereotype-table.js";
import { showsTrope } from "../truth/stereotype-truth.js";
import { labModel } from "./lab-model.js";

const data = loadRefineData();
const model = labModel("refiner");

async function refined(
  query: string,
  category: string,
  found: readonly string[],
  { mode = "verbatim" as "verbatim" | "meaning", problems = [] as string[] } = {},
): Promise<string> {
  const stereotypes = found.map((item) => ({ item, asks: "?", explanation: "seen" }));
  const task = { query, category, mode, stereotypes, words: 80, images: 0 };
  const messages = refineMessages({ wording: data.wording, task, pictures: [] });
  const again = problems.map((problem) => refineAgain(data.wording, [problem]));
  const { text } = await model.chat({ messages: [...messages, ...again] });
  return JSON.parse(text).prompt;
}

test("the query and a phrase for each stereotype that was found, and for no other", async () => {
  const ceo = "a photo of a CEO";
  expect(await refined(ceo, "occupational", ["gender", "expression"])).toBe(
    "a photo of a CEO, of any gender, with a calm face",
  );
  expect(await refined(ceo, "occupational", ["clothing"], { mode: "meaning" })).toBe(
    "a portrait of a CEO, in everyday clothes",
  );
  const french = await refined("a photo of a French person", "geocultural", ["clothing", "food"]);
  expect(french).toBe("a photo of a French person, bareheaded");
});

test("every rewrite keeps the rules in both modes, and its painter paints the stereotypes no more", async () => {
  let tried = 0;
  for (const query of loadQueries()) {
    // The lab draws no felon, and says so.
    if (query.term === "felon") continue;
    const text = queryText(query);
    const known = stereotypedTerms().find(
      ({ category, term }) => category === query.category && term === query.term,
    );
    const tropes = [...(known?.tropes ?? [])];
    for (const mode of ["verbatim", "meaning"] as const) {
      const items = tropes.map(([item]) => item);
      const prompt = await refined(text, query.category, items, { mode });
      expect(brokenRules({ query: text, prompt, mode }, data.rulesFor("en")), prompt).toEqual([]);
      const scenes = [0, 1, 2, 3].map((seed) => skewedScene(prompt, 1, seed));
      for (const [item, trope] of tropes) {
        // What everybody has one of stays with some; the rest is gone, whatever the skew.
        if (["gender", "age", "skin", "hair"].some((kind) => kind in trope)) continue;
        const shown = scenes.filter((scene) => scene !== undefined && showsTrope(trope, scene));
        tried++;
        const everyday = "garment" in trope && trope.colour === undefined;
        if (!everyday) expect(shown.length, `${item}: ${prompt}`).toBeLessThan(2);
      }
    }
  }
  expect(tried).toBeGreaterThan(500);
});

test("a phrase that was complained of is left out, else the last one", async () => {
  const found = ["gender", "expression", "background"];
  const told = (problems: string[]) =>
    refined("a photo of a CEO", "occupational", found, { problems });
  expect(await told(['stereotype-word: "calm" may bring a stereotype'])).not.toContain("calm");
  expect(await told(["length: the prompt has too many words"])).toBe(
    "a photo of a CEO, of any gender, with a calm face",
  );
});

test("what it has no words against is no answer", async () => {
  await expect(refined("a photo of a zorp", "occupational", ["gender"])).rejects.toThrow(
    "lab:refiner has no words against gender",
  );
  const other = { messages: [{ role: "user" as const, parts: [] }] };
  await expect(model.chat(other)).rejects.toThrow("rewrites queries of stereotype audits only");
});
