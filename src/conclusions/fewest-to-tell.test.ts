import { describe, expect, test } from "vitest";
import { agreement } from "../analysis/agreement/agreement.js";
import { calibration } from "../analysis/calibration/calibration.js";
import { correlationComparison } from "../analysis/correlation/correlation.js";
import { stereotypes } from "../analysis/stereotypes/stereotypes.js";
import { agreementView } from "./agreement/view.js";
import { calibrationView } from "./calibration/view.js";
import { correlationVerdict } from "./correlation/verdict.js";
import { stereotypesView } from "./stereotypes/view.js";

const times = <Value>(count: number, of: (at: number) => Value) =>
  Array.from({ length: count }, (_, at) => of(at));

describe("where everything points one way, a verdict claims it from six on", () => {
  test("of a correlation", () => {
    const verdictOf = (count: number, sign: 1 | -1 = 1, metrics = ["m"]) => {
      const rows = times(count, (at) => ({
        id: `${at}`,
        human: at,
        scores: [sign * at, (at * 5) % 7],
      }));
      const { conclusion, difference } = correlationComparison(
        { human: "h", metrics, rows },
        { resamples: 200 },
      );
      return correlationVerdict(conclusion, (metric, than) =>
        difference({ metric, than, measure: "kendallTauB" }),
      );
    };
    for (const sign of [1, -1] as const) {
      expect(verdictOf(5, sign)).toMatch(/^Whether m follows h is inconclusive: /);
    }
    expect(verdictOf(6)).toMatch(/^m follows h: /);
    expect(verdictOf(6, -1)).toMatch(/^m runs against h: /);
    const several = verdictOf(4, 1, ["m", "other"]);
    expect(several).toMatch(/^No metric significantly follows h; m comes nearest: /);
    expect(several).toContain("indistinguishable from other");
  });

  test("of stereotypes", () => {
    const verdictOf = (count: number) =>
      stereotypesView(
        stereotypes(
          times(2 * count, (at) => ({
            query: `${at >> 1}`,
            category: "c",
            model: "m",
            imageSet: "s",
            item: "i",
            phase: at % 2 === 0 ? "initial" : "refined",
            present: at % 2 === 0 ? 1 : 0,
          })),
        ),
      ).verdict;
    expect(verdictOf(5)).toMatch(
      /^Whether refined prompts show fewer stereotypes is inconclusive: 5 queries are too few; it takes 6 \(index 1\.000 to 0\.000, difference 1\.00/,
    );
    expect(verdictOf(6)).toMatch(/^Refined prompts show fewer stereotypes: /);
  });

  test("of agreement, and that it is enough only from many more items", () => {
    const verdictOf = (count: number) =>
      agreementView(
        agreement(
          times(2 * count, (at) => ({
            item: `${at >> 1}`,
            annotator: `${at % 2}`,
            value: `${(at >> 1) % 3}`,
          })),
          { scale: "nominal" },
        ),
      ).verdict;
    expect(verdictOf(5)).toMatch(
      /^2 annotators: these items can't tell their agreement from chance/,
    );
    expect(verdictOf(12)).toMatch(
      /^2 annotators agree beyond chance; whether alpha reaches .* is uncertain: /,
    );
    expect(verdictOf(60)).toContain("enough to build on");
  });

  test("of calibration, and where all answers are right only as far as their number says", () => {
    const verdictOf = (count: number, probability: number) =>
      calibrationView(calibration(times(count, (at) => ({ id: `${at}`, label: 1, probability }))))
        .verdict;
    const unclear = "neither significantly over- nor underconfident";
    expect(verdictOf(5, 0.51)).toContain(`${unclear} (5 rows are too few; it takes 6)`);
    // Ten right answers of ten go with an accuracy of 0.741 just as well.
    expect(verdictOf(10, 0.8)).toContain(unclear);
    expect(verdictOf(10, 0.7)).toContain("underconfident by 30.0 points");
    expect(verdictOf(5, 0.2)).toContain(unclear);
    expect(verdictOf(10, 0.2)).toContain("overconfident by 80.0 points");
  });
});
