import { expect, test } from "vitest";
import { sceneOf, symbols, textAt } from "../../../test/support/scene.js";
import { ensemble } from "../../analysis/ensemble/ensemble.js";
import type { EnsembleRow } from "../../analysis/ensemble/ensemble-rows.js";
import { palette } from "../../views/figures/palette.js";
import { ensembleFigure } from "./figure.js";

/** Prompt 1 is right and sure of it, prompt 2 says nothing; half of the labels are each. */
const rows = ["validation", "test"].flatMap((split) =>
  Array.from({ length: 20 }, (_, at): EnsembleRow => {
    const label = at % 2 === 0 ? 1 : 0;
    return {
      id: `${split} ${String(at).padStart(2, "0")}`,
      split: split === "test" ? "test" : "validation",
      label,
      probabilities: [label === 1 ? 0.85 : 0.15, 0.5],
      embedding: null,
      membership: null,
    };
  }),
);
const conclusion = ensemble(rows, {
  objective: "global-entropy",
  resamples: 100,
  permutations: 100,
});

test("every method has a panel, its dots at confidence and accuracy", async () => {
  const scene = await sceneOf(ensembleFigure(conclusion).spec);
  const names = [
    ...["a random judge prompt", "best judge prompt", "average"],
    ...["BPE", "BPE as published", "MMB"],
  ];
  const [best] = scene.filter(({ text }) => text === "best judge prompt");
  for (const name of names) textAt(scene, name);
  // The panel's square is 150 wide from 34 and 40 beside its name's corner.
  const from = { x: (best?.x ?? 0) + 34, y: (best?.y ?? 0) - 8 + 40 };
  const [dot, ...others] = symbols(scene, palette.blue).filter(
    ({ x, y }) => x > from.x && x < from.x + 150 && y < from.y + 151,
  );
  expect(others).toEqual([]);
  expect(dot?.x).toBeCloseTo(from.x + ((0.85 - 0.5) / 0.5) * 150, 6);
  expect(dot?.y).toBeCloseTo(from.y, 6);
});

test("the heat map holds each weight", async () => {
  const scene = await sceneOf(ensembleFigure(conclusion).spec);
  // The first is the panel's name.
  const row =
    scene.findLast(({ text }) => text === "best judge prompt") ??
    textAt(scene, "best judge prompt");
  const inRow = scene.filter(({ y, text, x }) => y === row.y && x > row.x && text !== "");
  expect(inRow.map(({ text }) => text)).toEqual(["1.00", "0.00"]);
  textAt(scene, "MMB, group 1 (labels 20.0)");
});
