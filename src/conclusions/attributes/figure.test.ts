import { expect, test } from "vitest";
import { axisReading, sceneOf, symbols, textAt, ticksOf } from "../../../test/support/scene.js";
import { attributes } from "../../analysis/confusion/attributes.js";
import { palette } from "../../views/figures/palette.js";
import { attributesFigure } from "./figure.js";

const about = { entity: "shirt", attribute: "striped" };

test("shares lie where the axis says, and what is 0 / 0 says so", async () => {
  const rows = [0.9, 0.8, 0.7, 0.1].flatMap((probability, at) => [
    { ...about, image: `${at}`, kind: "reflection" as const, probability },
    { ...about, image: `${at}`, entity: "skirt", kind: "leakage" as const, probability: 0.2 },
  ]);
  const open = { ...about, image: "open", kind: "reflection" as const, probability: null };
  const conclusion = attributes([...rows, open], { resamples: 100 });
  const scene = await sceneOf(attributesFigure(conclusion).spec);
  const percent = axisReading(
    ticksOf(scene, "x", ({ x, y }) => x < 500 && y > 100),
    "x",
  );
  const recall = symbols(scene, palette.blue).find(({ y }) => y === textAt(scene, "75.0 %").y);
  expect(percent(recall?.x ?? 0)).toBeCloseTo(75, 0);
  textAt(scene, "Left out for a question without an answer: 1 image.");

  const none = attributes(
    rows.map((row) => ({ ...row, probability: 0 })),
    { resamples: 100 },
  );
  const texts = (await sceneOf(attributesFigure(none).spec)).map(({ text }) => text);
  expect(texts.filter((text) => text.startsWith("undefined: "))).not.toEqual([]);
});
