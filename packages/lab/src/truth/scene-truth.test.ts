import { requestIn, scenesOf } from "touchstone-t2i/internal/benchmarks/prototypicality/scenes.js";
import {
  loadTaxonomy,
  pairsOf,
} from "touchstone-t2i/internal/benchmarks/prototypicality/taxonomy.js";
import {
  loadTemplates,
  tripletFromTemplates,
} from "touchstone-t2i/internal/benchmarks/prototypicality/templates.js";
import type { JsonObject } from "touchstone-t2i/internal/core/json.js";
import { expect, test } from "vitest";
import { labPainter } from "../painter/lab-painter.js";
import { cannotDraw } from "../painter/painter.js";
import { sceneTruth } from "./scene-truth.js";

const templates = loadTemplates();
const painter = labPainter();

const triplets = pairsOf(loadTaxonomy(), "demography").flatMap((pair) =>
  pair.knobs.map((knob, index) => {
    const scenes = scenesOf(pair, knob, { templates, splitOf: () => "evaluation", seed: 0 });
    const scene = scenes[index] ?? scenes[0];
    if (scene === undefined) throw new Error("Expected a scene");
    const request = requestIn(scene, { pair, knob, templates, seed: 0 });
    return { ...tripletFromTemplates(request, templates), attribute: pair.attribute?.word };
  }),
);

test("eight of ten poles of the demography domain can be drawn, the rest is named", () => {
  const drawn = new Set<string | undefined>();
  for (const { text, correct, adversarial, attribute } of triplets) {
    const reasons = [text, correct, adversarial].map(cannotDraw);
    if (reasons.every((reason) => reason === undefined)) drawn.add(attribute);
    else expect(reasons[0]).toBe(`the lab has no sign for "${attribute}"`);
  }
  expect([...drawn].sort()).toEqual(
    ["dishonest", "honest", "intelligent", "poor", "polite", "powerful", "rich", "rude"].sort(),
  );
});

test("the truth finds the correct picture right, and the adversarial one wrong", async () => {
  const drawable = triplets.filter(({ text }) => cannotDraw(text) === undefined);
  let painted = 0;
  for (const [seed, { text, correct, adversarial }] of drawable.entries()) {
    if (seed % 9 !== 0) continue;
    for (const [prompt, right] of [
      [correct, 1],
      [adversarial, 0],
    ] as const) {
      const { truth } = await painter.generate({ prompt, seed });
      const check = (said: string) => sceneTruth.check({ truth: truth as JsonObject, text: said });
      expect(check(prompt), prompt).toMatchObject({ value: 1 });
      expect(check(text), `${prompt} | ${text}`).toMatchObject({ value: right });
      painted++;
    }
  }
  expect(painted).toBeGreaterThan(40);
});
