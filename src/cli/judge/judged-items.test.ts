import { expect, test } from "vitest";
import { twoAnswers } from "../../judges/answer-kind.js";
import { judged, reviewLine } from "./judged-items.js";

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
    const place = { task: "yes-no", file: "review.jsonl", workingDirectory: "/" } as const;
    return reviewLine(one, { ...place, threshold });
  };
  const none = Number.NaN;
  expect(why([none, none], [0, 0], null).why).toBe("nothing is certified, so nobody was asked");
  expect(why([none, none], [1, 1], 0.9).why).toBe("no prompt gave an answer");
  // Something is certified: that nobody was asked has another reason.
  expect(why([none, none], [0, 0], 0.9).why).toBe("no prompt gave an answer");
  expect(why([0.6, 0.7], [1, 1], 0.9)).toMatchObject({ why: "not sure enough", answer: null });
});
