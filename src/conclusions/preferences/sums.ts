import { notAvailableWords, numeric, optionalText } from "../../tables/columns.js";
import { rows, type SumsSpec } from "../sums/sums-query.js";

const kinds = {
  are_shared: numeric,
  annotator: optionalText,
  kept_prompt: optionalText,
  first_model: optionalText,
  second_model: optionalText,
  said: optionalText,
};

const nothing = notAvailableWords.map((word) => `'${word}'`).join(", ");
// Intervals draw annotators, where two of them answered, else prompts.
const several = "(SELECT COUNT(DISTINCT annotator) FROM read_1 WHERE is_answered = 1) > 1";

/** Comparisons, counted by whom intervals draw as a whole. */
export const sums: SumsSpec<typeof kinds> = {
  name: "preferences",
  texts: { a: "a", b: "b", preferred: "preferred", prompt: "prompt", annotator: "annotator" },
  derived: () => [
    { is_answered: `CASE WHEN TRIM(LOWER(preferred)) NOT IN (${nothing}) THEN 1 ELSE 0 END` },
    { kept_prompt: `CASE WHEN ${several} THEN NULL ELSE prompt END` },
  ],
  parts: ({ number }) => ({
    comparisons: {
      from: rows,
      by: {
        annotator: "annotator",
        kept_prompt: "kept_prompt",
        first_model: "a",
        second_model: "b",
        said: "preferred",
      },
      of: {
        are_shared: `(SELECT CASE WHEN 2 * SUM(CASE WHEN people > 1 THEN 1 ELSE 0 END) > COUNT(*) THEN ${number(1)} ELSE ${number(0)} END
    FROM (SELECT prompt, COUNT(DISTINCT annotator) AS people FROM ${rows}
      WHERE prompt IS NOT NULL AND annotator IS NOT NULL GROUP BY prompt) by_prompt)`,
      },
    },
  }),
  kinds,
  required: { comparisons: { first_model: "a", second_model: "b" } },
  only: {},
};
