import { describe, expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { judgeCheck } from "./judge-check.js";
import type { RatingRow, VoteRow } from "./row-ratios.js";

const kindsIn = (rows: readonly VoteRow[] | readonly RatingRow[], family?: readonly string[]) =>
  judgeCheck(rows, { interval: "delta", ...(family && { family }) }).findings.map(
    ({ kind }) => kind,
  );
const other = { a: "b", b: "a", tie: "tie" } as const;

/** People's votes on 200 pairs, and a judge that errs in one of five, on either side alike. */
const sound: readonly VoteRow[] = Array.from({ length: 200 }, (_, at) => {
  const human = (["a", "b", "a", "b", "tie"] as const)[at % 5] ?? "a";
  const wrong = human === "tie" ? (["a", "b"] as const)[at % 2] : other[human];
  const vote = at % 25 < 20 ? human : (wrong ?? human);
  return { id: String(at), human, vote, swapped: vote };
});

describe("votes", () => {
  test("counts, accuracy and the best constant answer, by hand", () => {
    const rows: VoteRow[] = [
      { id: "1", vote: "a", human: "a", swapped: "a" },
      { id: "2", vote: "a", human: "b", swapped: "b" },
      { id: "3", vote: null, human: "b" },
      { id: "4", vote: "tie", human: "b", refused: false },
      { id: "5", vote: "b", human: "b", swapped: "b" },
      { id: "6", vote: null, refused: true },
    ];
    const found = judgeCheck(rows, { interval: "delta" });
    expect(found).toMatchObject({
      n: 6,
      unparsed: 2,
      refused: 1,
      answers: { a: 2, b: 1, tie: 1 },
      constant: { answer: "a", share: 0.5 },
      baseline: { answer: "b", accuracy: 0.8 },
      accuracy: { value: 0.4 },
      accuracyParsed: { value: 0.5 },
    });
    expect(found.againstBaseline.value).toBeCloseTo(-0.4, 12);
    expect(found.consistency.value).toBeCloseTo(2 / 3, 12);
    // First places: a, a, tie, not b; turned round: not a, b, b.
    expect(found.firstShown.value).toBeCloseTo((1 + 1 + 0.5 + 0 + 0 + 1 + 1) / 7, 12);
  });

  test("nothing is found in a sound judge, and the verdict says what it is worth", () => {
    const found = judgeCheck(sound);
    expect(found.findings).toEqual([]);
    expect(found.verdict).toContain("accuracy is 80.0 %");
  });

  test("a constant answer is no finding where people give it as well", () => {
    const always = sound.map((row) => ({ ...row, human: "a", vote: "a", swapped: "a" }) as const);
    expect(kindsIn(always)).toEqual(["below-baseline"]);
    const found = kindsIn(sound.map(({ id, human }) => ({ id, human, vote: "a" }) as const));
    expect(found).toEqual(["constant", "position", "below-baseline"]);
  });

  test("three votes show no preference for a place: an estimate without an interval proves nothing", () => {
    const three: VoteRow[] = [
      { id: "1", vote: "a", human: "b" },
      { id: "2", vote: "a", human: "a" },
      { id: "3", vote: "b", human: "b" },
    ];
    expect(judgeCheck(three).findings.map(({ kind }) => kind)).toEqual(["below-baseline"]);
  });

  test("the verdict names the constant answer that does as well", () => {
    const { verdict } = judgeCheck(
      sound.map(({ id, human }) => ({ id, human, vote: "b" }) as const),
    );
    expect(verdict).toMatch(
      /^This judge is not shown to beat always answering A: accuracy 40\.0 % against 40\.0 %, difference 0\.0 points/,
    );
  });

  test("a preference for the first place is told by both orders, whatever people say", () => {
    const first = sound.map(({ id }) => ({ id, vote: "a", swapped: "b" }) as const);
    expect(kindsIn(first)).toEqual(expect.arrayContaining(["position", "inconsistent"]));
    const content = sound.map(({ id }) => ({ id, vote: "a", swapped: "a" }) as const);
    expect(kindsIn(content)).not.toContain("position");
  });

  test("of a few answers nothing is claimed, though all agree", () => {
    const few = sound.slice(0, 4).map((row) => ({ ...row, vote: "a", swapped: null }) as const);
    expect(kindsIn(few)).toEqual(["below-baseline"]);
  });

  test("answers that can't be read, and refusals, are told apart", () => {
    const silent = (refused: boolean) =>
      sound.map((row, at) => (at % 2 === 0 ? { ...row, vote: null, swapped: null, refused } : row));
    expect(kindsIn(silent(false))).toContain("unparsed");
    expect(kindsIn(silent(true))).toContain("refused");
    expect(kindsIn(silent(true))).not.toContain("unparsed");
  });

  test("preferences that go round are counted within a prompt", () => {
    const ring = Array.from({ length: 30 }, (_, prompt) =>
      [
        ["x", "y"],
        ["y", "z"],
        ["z", "x"],
      ].map(([a = "", b = ""], at): VoteRow => {
        return { id: `${prompt}-${at}`, prompt: String(prompt), a, b, vote: "a" };
      }),
    ).flat();
    expect(judgeCheck(ring).cycles).toMatchObject({ triples: 30, share: { value: 1 } });
    expect(kindsIn(ring)).toContain("intransitive");
    const ordered = ring.map((row) => (row.a === "z" ? ({ ...row, vote: "b" } as const) : row));
    expect(judgeCheck(ordered).cycles?.share.value).toBe(0);
  });

  test("favour for a generator is told beside people's answers", () => {
    const random = randomFrom(1, "generators");
    const rows = sound.map((row): VoteRow => {
      const [a = "", b = ""] = random.shuffle(["own", "other"]);
      return { ...row, a, b };
    });
    expect(kindsIn(rows, ["own"])).toEqual([]);
    const biased = rows.map((row): VoteRow => {
      const vote = row.a === "own" ? "a" : "b";
      return { ...row, vote, swapped: vote };
    });
    expect(kindsIn(biased, ["own"])).toContain("own-family");
    expect(kindsIn(biased)).toContain("own-family");
  });

  test("a degraded copy that is not seen is found", () => {
    const seen = sound
      .filter(({ human }) => human !== "tie")
      .map((row) => ({ ...row, degradation: "blur", level: 3 }));
    expect(kindsIn(seen)).not.toContain("insensitive");
    const blind = seen.map((row, at) => ({ ...row, vote: at % 4 < 2 ? "a" : "b" }) as const);
    expect(kindsIn(blind)).toContain("insensitive");
    // Weak copies may pass unseen.
    const weak = blind.map((row, at) => ({ ...row, id: `weak ${at}`, level: 1 }));
    expect(kindsIn([...seen, ...weak])).not.toContain("insensitive");
    expect(judgeCheck([...seen, ...weak]).sensitivity).toMatchObject([
      { degradation: "blur", level: 1, n: 160, share: { value: 0.5 } },
      { degradation: "blur", level: 3, n: 160 },
    ]);
  });
});

test("a judge is measured beside one rater, each against most of the others", () => {
  const rows: VoteRow[] = [
    // Most of the others: b, b and no answer (a, b).
    { id: "1", vote: "b", raters: ["a", "b", "b"] },
    { id: "2", vote: "a", raters: ["b", "b", "b"] },
    { id: "3", vote: null, raters: ["tie", "tie", null] },
  ];
  const found = judgeCheck(rows, { interval: "delta" });
  // Rater 1 of item 1 is wrong; its others' others disagree. Three and two are right.
  expect(found.oneRater?.value).toBeCloseTo(5 / 6, 12);
  expect(found.againstRater?.value).toBeCloseTo((1 - 3 - 2) / 6, 12);
  expect(judgeCheck(sound).oneRater).toBeUndefined();
});

describe("ratings", () => {
  const ratings: readonly RatingRow[] = Array.from({ length: 100 }, (_, at) => ({
    id: String(at),
    human: 1 + (at % 5),
    rating: at % 10 === 9 ? 4 : 1 + (at % 5),
  }));

  test("levels, accuracy and order beside people's", () => {
    const found = judgeCheck(ratings);
    expect(found).toMatchObject({
      n: 100,
      answers: { 1: 20, 2: 20, 3: 20, 4: 30, 5: 10 },
      accuracy: { value: 0.9 },
      baseline: { answer: "1", accuracy: 0.2 },
      levels: { used: 5, of: 5, people: 5 },
      firstShown: { value: null },
      findings: [],
    });
  });

  test("one level, or two of five, is a narrow scale", () => {
    const constant = ratings.map((row) => ({ ...row, rating: 4 }));
    expect(kindsIn(constant)).toEqual(["constant", "narrow-scale", "below-baseline"]);
    const two = ratings.map((row) => ({ ...row, rating: (row.human ?? 0) > 2 ? 4 : 3 }));
    expect(kindsIn(two)).toEqual(["narrow-scale"]);
  });

  test("trials of one image that differ are found", () => {
    const again = ratings.map((row, at) => ({ ...row, rating: 1 + ((at * 7) % 5) }));
    expect(kindsIn([...ratings, ...ratings])).toEqual([]);
    const random = randomFrom(1, "order");
    const shuffled = random.shuffle(again).map((row, at) => ({ ...row, id: String(at) }));
    expect(kindsIn([...ratings, ...shuffled])).toContain("inconsistent");
  });
});
