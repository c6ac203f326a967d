import { judgeCheck } from "../../analysis/judge-check/judge-check.js";
import { GateError } from "../../core/errors.js";
import { conclusion } from "../conclusion.js";
import { options, readAnswers, tells } from "./columns.js";
import { judgeCheckView } from "./view.js";

export default conclusion({
  title: "Judge check",
  description:
    "Checks a judge's answers before it is trusted: unreadable answers, a constant answer, preference for a " +
    "place, contradictions, cycles, a narrow scale, favour for its own family, blindness to degraded copies, and " +
    "accuracy beside the best constant answer. Reads a table (JSONL, JSON, CSV or Parquet), a run of judge or " +
    "calibrate, or judge.json, whose answers lie beside it. Votes on pairs: id, vote (a, b or tie; what can't be " +
    "read counts as unparsed) and, optionally, human, swapped (the answer in the other order; a is still item a), " +
    "first (which was shown first; default: a), prompt, a and b (generators), reason; --raters names several " +
    "people's columns. Ratings: id, rating and, " +
    "optionally, human; repeated rows of an id are trials. degradation and level name degraded copies. " +
    "`touchstone example judge-check` prints a sample.",
  examples: [
    "touchstone judge check votes.csv",
    "touchstone judge check votes.jsonl --family dalle-3,gpt-image-1 --out check.html",
    "touchstone judge check votes.csv --fail-on defect --json",
    "touchstone example judge-check | touchstone judge check -",
  ],
  example: { shows: "a judge's votes on forty pairs in both orders, beside people's" },
  page: "check.html",
  options,
  tells,
  read: readAnswers,
  conclude: (rows, { family, raters: _, ...given }) =>
    judgeCheck(rows, { ...given, family: family?.split(",").map((name) => name.trim()) }),
  view: judgeCheckView,
  async figure(found) {
    const { judgeCheckFigure } = await import("./figure.js");
    return judgeCheckFigure(found);
  },
  finish({ findings }, { "fail-on": least }) {
    const counted = findings.filter(
      ({ severity }) => least === "caution" || (least === "defect" && severity === "defect"),
    );
    const [first] = counted;
    if (first !== undefined) {
      throw new GateError(`Expected no ${least} but found ${counted.length}: ${first.text}`);
    }
  },
});
