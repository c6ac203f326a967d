import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agreement, type RatingRow } from "./agreement.js";

/** Rows from one text a rater, a character an item, "." for no rating. */
const rowsOf = (...raters: readonly string[]): RatingRow[] =>
  raters.flatMap((ratings, rater) =>
    [...ratings].map((value, item) => ({
      item: `item ${item}`,
      annotator: `rater ${rater + 1}`,
      value: value === "." ? undefined : value,
    })),
  );
const quick = { resamples: 100 };

describe("agreement", () => {
  test("gives every statistic with n and what is missing", () => {
    // The four observers and twelve units of Krippendorff's own example.
    const rows = rowsOf("123321412...", "1233224125.3", ".3332342251.", "12332441251.");
    const found = agreement(rows, { scale: "ordinal", ...quick });
    expect(found).toMatchObject({ items: 12, annotators: 4, n: 11, unscored: 48 - found.ratings });
    expect(found.krippendorffAlpha).toBeCloseTo(0.815, 3);
    expect(found.warnings).toEqual([
      "1 of 12 items has fewer than two ratings and is in no statistic but the shares of categories in Fleiss' kappa",
      "intervals from 11 items are too narrow",
    ]);
    expect(found.fleissForm).toBe("generalised");
    // An independent program, from the definition: P = 0.8182, Pe = 0.2387.
    expect(found.fleissKappa).toBeCloseTo(0.7612, 4);
    expect(found.intervals.text).toContain("100 resamples of 11 items");
    for (const { value, low, high } of [
      found.intervalsOf.fleissKappa,
      found.intervalsOf.krippendorffAlpha,
      found.intervalsOf.majorityShare,
    ]) {
      expect(low).toBeLessThan(value ?? 0);
      expect(high).toBeGreaterThan(value ?? 1);
    }
  });

  test("weighs by the position in the categories that were given", () => {
    const rows = rowsOf("aabbcc", "abbbca").map(({ value, ...row }) => ({
      ...row,
      value: { a: "bad", b: "fair", c: "good" }[value ?? ""],
    }));
    const given = agreement(rows, {
      scale: "ordinal",
      categories: ["bad", "fair", "good"],
      ...quick,
    });
    // By hand: the six items differ by 3 categories in all, by chance by 30 / 6.
    expect(given.pairwise?.linear[0]?.[1]).toBeCloseTo(1 - (3 * 6) / 30, 12);
    expect(given.pairwise?.linear[1]?.[0]).toBe(given.pairwise?.linear[0]?.[1]);
    expect(given.pairwise?.linear[0]?.[0]).toBe(1);
    // In another order another distance.
    const turned = agreement(rows, {
      scale: "ordinal",
      categories: ["fair", "good", "bad"],
      ...quick,
    });
    expect(turned.pairwise?.linear).not.toEqual(given.pairwise?.linear);
    expect(turned.pairwise?.cohen).toEqual(given.pairwise?.cohen);
  });

  test("words without an order have no weights, and no ordinal scale", () => {
    const rows = rowsOf("aabb", "abbb");
    const nominal = agreement(rows, { scale: "nominal", ...quick });
    expect(nominal.pairwise?.cohen[0]?.[1]).toBeCloseTo(0.5, 12);
    expect(nominal.pairwise?.linear[0]?.[1]).toBeNull();
    expect(nominal.pairwise?.reasons).toEqual([
      "weights need categories in an order, and these words have none",
    ]);
    expect(() => agreement(rows, { scale: "ordinal" })).toThrow(
      'order of categories but received "a"',
    );
    expect(() => agreement(rowsOf("12a1", "1221"), { scale: "ordinal" })).toThrow(
      expect.objectContaining({ hint: "If this value means no answer: --unscored a" }),
    );
    expect(() => agreement(rows, { scale: "interval" })).toThrow('interval scale but received "a"');
    expect(() => agreement(rows, { scale: "nominal", categories: ["a", "c"] })).toThrow(
      'Expected one of a, c but received "b"',
    );
  });

  test("what is undefined is null with a reason", () => {
    const same = agreement(rowsOf("111", "111"), { scale: "ordinal", ...quick });
    expect(same.krippendorffAlpha).toBeNull();
    expect(same.intervalsOf.krippendorffAlpha.reason).toContain("all ratings are of one category");
    expect(same.pairwise?.cohen).toEqual([
      [1, null],
      [null, 1],
    ]);
    expect(same.majorityShare).toBe(1);

    const apart = agreement(rowsOf("12..", "..12"), { scale: "ordinal", ...quick });
    expect(apart.majorityShare).toBeNull();
    expect(apart.intervalsOf.majorityShare.reason).toBe("no item has two ratings");
    expect(apart.pairwise?.reasons).toEqual(["two annotators share no item"]);

    const lone = agreement(rowsOf("1", "2"), { scale: "ordinal", ...quick });
    expect(lone.intervalsOf.majorityShare).toEqual({
      value: 0.5,
      low: null,
      high: null,
      reason: "no interval from one item",
    });
  });

  test("anonymous raters have Fleiss and Krippendorff, and no pairs", () => {
    const named = rowsOf("1233", "1232", "1132");
    const rows = named.map(({ item, value }) => ({ item, value }));
    const found = agreement(rows, { scale: "ordinal", ...quick });
    expect(found).toMatchObject({ annotators: null, pairwise: null, items: 4, ratings: 12, n: 4 });
    expect(found.warnings).toContain(
      "no row names an annotator: ratings of one item count as those of different people",
    );
    const known = agreement(named, { scale: "ordinal", ...quick });
    expect(found.fleissForm).toBe("fleiss");
    expect(found.intervalsOf).toEqual(known.intervalsOf);
    expect(() => agreement([...rows, ...named], { scale: "ordinal", ...quick })).toThrow(
      "Expected an annotator in every row or in none but 12 of 24 rows have none",
    );
  });

  test("categories that are used once are named, but not numbers on a scale", () => {
    const rows = rowsOf("1123", "1124");
    expect(agreement(rows, { scale: "nominal", ...quick }).warnings).toContain(
      "the categories 3 and 4 are used once, so no two ratings can agree on them",
    );
    expect(agreement(rows, { scale: "interval", ...quick }).warnings.join()).not.toContain("once");
  });

  test("items that nobody rated leave Fleiss' kappa as it is", () => {
    const found = agreement(rowsOf("12.3", "11.3"), { scale: "nominal", ...quick });
    expect(found.fleissForm).toBe("fleiss");
    expect(found.fleissKappa).toBe(
      agreement(rowsOf("123", "113"), { scale: "nominal", ...quick }).fleissKappa,
    );
  });

  test("the order of the rows changes nothing", () => {
    const rows = rowsOf("12345543211.", "1234514321.2", "22.455432112");
    const expected = agreement(rows, { scale: "interval", ...quick });
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(agreement(shuffled, { scale: "interval", ...quick })).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });
});
