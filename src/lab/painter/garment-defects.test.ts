import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { describe, parseSentence } from "../world/english.js";
import { type Defect, noDefects } from "./defect-rates.js";
import { withDefects } from "./defects.js";
import { labPainter } from "./lab-painter.js";
import { paintedTruth } from "./painter.js";
import { painterNames, ratesOf } from "./painters.js";

const outfit = "A person wearing a striped red skirt and a dotted blue jacket.";

const seen = (sentence: string, defect: Defect) =>
  new Set(
    Array.from({ length: 60 }, (_, seed) => {
      const understood = withDefects(
        parseSentence(sentence),
        { ...noDefects, [defect]: 1 },
        randomFrom("garment defects", seed),
      );
      expect(understood.defects).toEqual([defect]);
      return describe(understood.description);
    }),
  );

test("leakAttribute puts one attribute of one garment on the other, each in turn", () => {
  expect(seen(outfit, "leakAttribute")).toEqual(
    new Set([
      "A person wearing a striped red skirt and a striped blue jacket.",
      "A person wearing a striped red skirt and a dotted red jacket.",
      "A person wearing a dotted red skirt and a dotted blue jacket.",
      "A person wearing a striped blue skirt and a dotted blue jacket.",
    ]),
  );
});

test("swapAttributes exchanges colour and pattern, of clothes on display too", () => {
  expect(seen(outfit, "swapAttributes")).toEqual(
    new Set(["A person wearing a dotted blue skirt and a striped red jacket."]),
  );
  expect(seen("A striped skirt and a plaid jacket on display.", "swapAttributes")).toEqual(
    new Set(["A plaid skirt and a striped jacket on display."]),
  );
});

test("loseAttribute changes one attribute of one garment to another value", () => {
  const sentences = seen("A person wearing a striped skirt.", "loseAttribute");
  expect(sentences.size).toBe(5);
  expect(sentences).not.toContain("A person wearing a striped skirt.");
});

test.each(["A person wearing a skirt.", "A dog is in a meadow.", "A person."])(
  "%s has no attribute to get wrong",
  (sentence) => {
    const always = { leakAttribute: 1, swapAttributes: 1, loseAttribute: 1 };
    const said = parseSentence(sentence);
    const { description, defects } = withDefects(
      said,
      { ...noDefects, ...always },
      randomFrom("none"),
    );
    expect(description).toEqual(said);
    expect(defects).toEqual([]);
  },
);

test("five painters err more and more, and the truth notes what they did", async () => {
  expect(painterNames()).toEqual(["a", "b", "c", "d", "e"]);
  const leaks = painterNames().map((name) => ratesOf(name)?.leakAttribute ?? 0);
  expect(leaks).toEqual([...leaks].sort((a, b) => a - b));
  const painter = labPainter({ name: "e" });
  expect(painter.identity.model).toBe("painter-e");
  const truths = await Promise.all(
    Array.from({ length: 24 }, async (_, seed) =>
      paintedTruth.parse((await painter.generate({ prompt: outfit, seed })).truth),
    ),
  );
  for (const { defects, scene } of truths) {
    const garments = scene.person?.garments.map(({ kind, colour, pattern }) =>
      [pattern, colour, kind].join(" "),
    );
    const faithful =
      garments?.includes("striped red skirt") === true && garments.includes("dotted blue jacket");
    expect(faithful).toBe(defects.length === 0);
  }
  expect(truths.filter(({ defects }) => defects.includes("leakAttribute")).length).toBeGreaterThan(
    4,
  );
  expect(truths.filter(({ defects }) => defects.length === 0).length).toBeGreaterThan(1);
});
