import type { PreferenceRow } from "../../../benchmarks/preference/index.js";
import type { JsonObject } from "../../../core/json.js";
import { anotherSubject } from "../../../lab/truth/fault-count.js";
import { statementQuestion } from "../../../lab/world/questions.js";

/**
 * Tables of labels about single pictures: of each pair the first, so that no two rows share a caption.
 *
 * @param nameOf how an image is named in the table
 */
export const pictureTables = (
  rows: readonly PreferenceRow[],
  nameOf: (image: PreferenceRow["imageA"]) => string,
): Readonly<Record<"questions.jsonl" | "ratings.jsonl", readonly JsonObject[]>> => ({
  "questions.jsonl": rows.map(({ id, caption, imageA, wrongA }) => ({
    id,
    image: nameOf(imageA),
    question: statementQuestion(caption),
    answer: wrongA === 0 ? "yes" : "no",
  })),
  "ratings.jsonl": rows.map(({ id, caption, imageA, wrongA }) => ({
    id,
    image: nameOf(imageA),
    text: caption,
    rating: ratingOf(wrongA),
  })),
});

/** 4: all is as the caption says; 3: one thing is not; 2: several are not; 1: another subject. */
const ratingOf = (wrong: number): number => (wrong >= anotherSubject ? 1 : 4 - Math.min(2, wrong));
