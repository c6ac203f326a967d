import { checkedRatings } from "./checked-ratings.js";
import { checkedVotes } from "./checked-votes.js";
import type { JudgeCheck, JudgeCheckOptions } from "./judge-conclusion.js";
import type { RatingRow, VoteRow } from "./judge-rows.js";

/**
 * Checks a judge's answers before it is trusted: what can't be read, constant answers, preference for a place,
 * contradictions, cycles, narrow use of a scale, favour for generators, blindness to degraded copies, and accuracy
 * beside the best constant answer. Thresholds and what they cost in false alarms: docs/judging.md.
 *
 * @param rows votes on pairs, or ratings; all of one kind.
 * @example
 * judgeCheck([{ id: "1", vote: "a", human: "a" }, { id: "2", vote: "a", human: "b" }]).accuracy.value // 0.5
 */
export function judgeCheck(
  rows: readonly VoteRow[] | readonly RatingRow[],
  options: JudgeCheckOptions = {},
): JudgeCheck {
  return areRatings(rows) ? checkedRatings(rows, options) : checkedVotes(rows, options);
}

const areRatings = (
  rows: readonly VoteRow[] | readonly RatingRow[],
): rows is readonly RatingRow[] => rows.some((row) => "rating" in row);
