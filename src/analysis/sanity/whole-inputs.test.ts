import { expect, test } from "vitest";
import { findingsOfWhole, wholeInputs, wholeTexts } from "./whole-inputs.js";

const cut = { cutAt: 77, tokens: 120 };
const clip = ["transformers-js:owner/clip"];

test("what was lost is counted, with the worst of each kind", () => {
  const details = [cut, { cutAt: 77, tokens: 154, unseen: 0.25 }, { unseen: 0.125 }];
  const whole = wholeInputs(details, { items: 40, models: clip });
  expect(whole).toMatchObject({ cutTexts: 2, cutImages: 2, shrunkImages: 0 });
  expect(wholeTexts(whole)).toEqual([
    "2 of 40 texts are longer than the model reads (at most read to token 77 of 154)",
    "2 of 40 images are cut to the middle (at most 25 % of the pixels are not seen)",
  ]);
  // A tenth of the items is a caution.
  expect(findingsOfWhole(whole)).toEqual([]);
  const many = wholeInputs([...details, cut, cut], { items: 40, models: clip });
  expect(findingsOfWhole(many)).toMatchObject([{ kind: "texts-cut", severity: "caution" }]);
});

test("where nobody can tell nothing is counted", () => {
  const counts = (...models: string[]) => {
    const { cutTexts, cutImages, shrunkImages } = wholeInputs([], { items: 9, models });
    return [cutTexts, cutImages, shrunkImages];
  };
  expect(counts("lab:dual-encoder@0123")).toEqual([0, 0, 0]);
  expect(counts("openai-compatible:tiny at http://judge/v1")).toEqual([null, null, 0]);
  expect(counts("lab:vqa", "python-bridge:function:mine.py")).toEqual([null, null, null]);
  expect(counts()).toEqual([null, null, null]);
});
