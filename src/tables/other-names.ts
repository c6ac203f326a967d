/** Other names of a column, as people and programs write them. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  a: ["model_a", "model_1", "left"],
  b: ["model_b", "model_2", "right"],
  preferred: ["winner", "preference", "vote", "choice"],
  id: ["item", "key", "index", "pair", "image"],
  item: ["id", "image", "image_url", "image_id", "file_name", "subject", "unit"],
  annotator: ["rater", "worker", "worker_id", "coder", "participant", "expert"],
  value: ["rating", "label", "score", "answer", "choice"],
  method: ["judge", "model", "classifier"],
  model: ["generator", "system", "method"],
  metric: ["scorer", "measure"],
  prompt: ["caption", "text", "query"],
  score: ["value", "rating", "correct"],
  label: ["truth", "gold", "correct", "target", "y"],
  probability: ["p", "prob", "confidence", "p_yes", "score"],
  domain: ["category", "group"],
  correct: ["right", "score_right", "score_correct", "correct_score", "true"],
  adversarial: ["wrong", "score_wrong", "adversarial_score", "incorrect", "foil"],
  original: ["score_original", "original_score"],
  swapped: ["score_swapped", "swapped_score"],
};

/**
 * The columns that may be the one wanted, by names that people and programs give it, the likeliest first; case,
 * punctuation and what Mechanical Turk writes before a name don't count.
 *
 * @example knownAs("a", ["Model A", "winner"]) // ["Model A"]
 */
export const knownAs = (wanted: string, columns: Iterable<string>): string[] => {
  const all = [...columns];
  return [wanted, ...(otherNames[wanted] ?? [])]
    .map(plainName)
    .flatMap((name) => all.filter((column) => plainName(column) === name));
};

/** A column's name in small letters and digits, without Mechanical Turk's `Input.` and `Answer.`. */
export const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^(input|answer)\./, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
