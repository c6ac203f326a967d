import { expect, test } from "vitest";
import { twoAnswers } from "../../../judges/answer-kind.js";
import { judged, resultLine, reviewLine } from "./judged-items.js";

test("a line for people says why it is theirs", () => {
  const item = { id: "1", text: "a red hat", images: [], place: "line 1" };
  const why = (answers: number[], asked: number[], threshold: number | null) => {
    const one = judged(
      item,
      {
        weights: Float64Array.of(0.5, 0.5),
        answers: Float64Array.from(answers),
        asked: Uint8Array.from(asked),
      },
      { task: "yes-no", rule: twoAnswers.rule(threshold ?? 1) },
    );
    const place = {
      task: "yes-no",
      file: "review.jsonl",
      workingDirectory: "/",
      judge: "judge.json",
      isDrawn: false,
    } as const;
    return reviewLine(one, { ...place, threshold });
  };
  const none = Number.NaN;
  expect(why([none, none], [0, 0], null).why).toBe("nothing is certified, so no model was asked");
  expect(why([none, none], [1, 1], 0.9).why).toBe("no prompt gave an answer");
  // Something is certified: that nobody was asked has another reason.
  expect(why([none, none], [0, 0], 0.9).why).toBe("no prompt gave an answer");
  expect(why([0.6, 0.7], [1, 1], 0.9)).toMatchObject({ why: "not sure enough", answer: null });
});

test("images are named as seen from the file that names them", () => {
  const images = [
    { name: "1.png", path: "/data/pictures/1.png" },
    { name: "/art/2.png", path: "/art/2.png" },
  ];
  const item = { id: "1", text: "a red hat", images, place: "line 1" };
  const one = judged(
    item,
    { weights: Float64Array.of(1), answers: Float64Array.of(0.6), asked: Uint8Array.of(1) },
    { task: "pair", rule: twoAnswers.rule(0.5) },
  );
  const written = (file: string) => ({ task: "pair", file, workingDirectory: "/data" }) as const;
  expect(resultLine(one, written("results.jsonl"))).toMatchObject({
    image_a: "pictures/1.png",
    image_b: "/art/2.png",
    decision: "a",
  });
  const elsewhere = {
    ...written("out/review.jsonl"),
    threshold: 0.9,
    judge: "judge.json",
    isDrawn: false,
  };
  expect(resultLine(one, elsewhere).image_a).toBe("../pictures/1.png");
  expect(reviewLine(one, elsewhere).image_a).toBe("../pictures/1.png");
  expect(reviewLine(one, elsewhere).judge).toBe("../judge.json");
});
