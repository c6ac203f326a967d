import { describe, expect, test } from "vitest";
import { studyConfigSchema } from "../config/study-schema.js";
import { answerValue } from "./answer-value.js";
import { mentalImage } from "./mental-image.js";
import { pairwise } from "./pairwise.js";
import type { Showing } from "./protocol.js";
import { protocols } from "./protocols.js";
import { rubric } from "./rubric.js";

/** An item as a participant is shown it, of a block with these settings. */
function showingOf(block: Record<string, unknown>, content: Showing["item"]["content"]): Showing {
  const { blocks } = studyConfigSchema.parse({
    title: "t",
    consent: "yes",
    blocks: [{ from: "items.csv", ...block }],
  });
  const [settings] = blocks;
  if (settings === undefined) throw new Error("There is no block");
  const item = { id: "one", images: [], sources: [], content, beside: {} };
  return { item, settings, names: [], swapped: false, drawn: (list) => list };
}

test("images in a drawn order are recorded by their places in the item", () => {
  const names = ["n1", "n2", "n3", "n4"];
  const reversed: Showing["drawn"] = (list) => list.toReversed();
  const showing = showingOf({ protocol: "rubric" }, { query: "q", item: "i", definition: "d" });
  const drawn = { ...showing, names, drawn: reversed };
  const { images } = rubric.present(drawn);
  expect(images).toEqual(["n4", "n3", "n2", "n1"]);
  const answer = { present: true, images: ["n4", "n2"] };
  expect(rubric.recorded(answer, drawn)).toEqual({ present: true, images: [2, 4] });
  const pair = showingOf({ protocol: "pairwise" }, { caption: null, imagesOfA: 2 });
  const sides = pairwise.present({ ...pair, names, drawn: reversed, swapped: true });
  expect(sides).toMatchObject({ a: ["n4", "n3"], b: ["n2", "n1"] });
});

test.each(Object.entries(protocols))(
  "a page without a server compares answers of %s as it does",
  (protocol, { known, value }) => {
    const { settings } = showingOf({ protocol }, {});
    const words = ["1", "4", "yes", "no", "true", "0", "a", "tie"];
    const answers = words.map((word) => known(word, settings)).filter((one) => one !== undefined);
    if (protocol === "pairwise") answers.push({ preferred: "undecided" });
    for (const answer of answers) expect(answerValue(answer)).toBe(value(answer));
  },
);

describe("answers of a client of somebody else's", () => {
  test("pairwise: either third answer and a reason, whatever the page offers", () => {
    const schema = pairwise.answer(showingOf({ protocol: "pairwise" }, { imagesOfA: 0 }));
    for (const preferred of ["a", "b", "tie", "undecided"]) {
      expect(schema.safeParse({ preferred, why: "because" }).success, preferred).toBe(true);
    }
    const forced = pairwise.answer(showingOf({ protocol: "pairwise", tie: "none" }, {}));
    expect(["a", "tie"].map((preferred) => forced.safeParse({ preferred }).success)).toEqual([
      true,
      false,
    ]);
  });

  test("mental-image: strokes in any unit, or one stroke alone", () => {
    const showing = showingOf({ protocol: "mental-image" }, { query: "q", models: [] });
    const schema = mentalImage.answer(showing);
    const stroke = [
      [10, 20, 0.5, 0],
      [0.1, 20, 1, 16],
    ];
    const answer = { words: "w", sketch: [stroke], comments: {} };
    expect(schema.parse(answer)).toEqual(answer);
    expect(schema.parse({ ...answer, sketch: stroke })).toEqual(answer);
    expect(schema.safeParse({ ...answer, sketch: [[[1, 2, 0.5]]] }).success).toBe(false);
  });
});
