/** Kind of a question: the entity's own attribute, or another's that may have leaked. */
export const questionKinds = ["reflection", "leakage"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** A yes-or-no question about one entity of an image: does it have the attribute? */
export interface LocalizedQuestion {
  readonly entity: string;
  readonly attribute: string;
  readonly kind: QuestionKind;
}

/**
 * The questions of one image without those that would count twice: of equal ones the first stays,
 * and a leakage question that equals a reflection question goes, since an attribute that two
 * entities share does not leak. Equal are questions with the same characters in entity and
 * attribute. The order stays.
 *
 * @returns the questions kept, the later ones of equal questions, and the leakage questions that
 *   equal a reflection question.
 * @example distinctQuestions([
 *   { entity: "shirt", attribute: "red", kind: "reflection" },
 *   { entity: "shirt", attribute: "red", kind: "leakage" },
 * ]).kept.length // 1
 */
export function distinctQuestions<Question extends LocalizedQuestion>(
  questions: readonly Question[],
): {
  readonly kept: readonly Question[];
  readonly duplicates: readonly Question[];
  readonly shared: readonly Question[];
} {
  const about = ({ entity, attribute }: Question) => JSON.stringify([entity, attribute]);
  const reflections = new Set(questions.filter(({ kind }) => kind === "reflection").map(about));
  const leakagesMet = new Set<string>();
  const reflectionsMet = new Set<string>();
  const found = { kept: [] as Question[], duplicates: [] as Question[], shared: [] as Question[] };
  for (const question of questions) {
    const key = about(question);
    const seen = question.kind === "reflection" ? reflectionsMet : leakagesMet;
    if (seen.has(key)) found.duplicates.push(question);
    else if (question.kind === "leakage" && reflections.has(key)) found.shared.push(question);
    else found.kept.push(question);
    seen.add(key);
  }
  return found;
}
