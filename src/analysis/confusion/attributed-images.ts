import { InputError } from "../../core/errors.js";
import { inOrder } from "../inference/sorted-names.js";

/** One question about an entity of an image. */
export interface AttributeRow extends LocalizedQuestion {
  readonly image: string;
  /** The prompt of the image; images of one prompt are drawn together in intervals. */
  readonly prompt?: string | undefined;
  /** Who answered, where several did: the answers of each count by themselves. */
  readonly annotator?: string | undefined;
  /** P(yes), in [0, 1]; null where there is no answer. */
  readonly probability: number | null;
}

/** An image and P(yes) of its distinct questions, as one annotator answered them. */
export interface AttributedImage {
  readonly image: string;
  readonly annotator: string | undefined;
  readonly prompt: string | undefined;
  readonly reflection: readonly number[];
  readonly leakage: readonly number[];
  readonly unscoredReflection: number;
  readonly unscoredLeakage: number;
  /** Both together. */
  readonly unscored: number;
}

/** The images in the order of their names (then of annotators), and how many rows count for nothing. */
export interface AttributedImages {
  readonly images: readonly AttributedImage[];
  readonly duplicates: number;
  /** Duplicates whose answer is another than that of the first. */
  readonly contradicted: number;
  readonly shared: number;
  /** Names of entities, and of attributes. */
  readonly names: readonly [entities: readonly string[], attributes: readonly string[]];
}

/** @throws InputError where an image has two prompts. */
export function attributedImages(rows: readonly AttributeRow[]): AttributedImages {
  const byImage = new Map<string, Map<string | undefined, AttributeRow[]>>();
  for (const row of rows) {
    const annotators = byImage.get(row.image) ?? new Map<string | undefined, AttributeRow[]>();
    byImage.set(row.image, annotators);
    const its = annotators.get(row.annotator);
    if (its === undefined) annotators.set(row.annotator, [row]);
    else its.push(row);
  }
  let duplicates = 0;
  let contradicted = 0;
  let shared = 0;
  const answered = inOrder(byImage.keys()).flatMap((image) => {
    const annotators = byImage.get(image) ?? new Map<string | undefined, AttributeRow[]>();
    const prompt = promptOf([...annotators.values()].flat());
    return [...annotators]
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))
      .map(([annotator, its]) => ({ image, prompt, annotator, its }));
  });
  const images = answered.map(({ image, prompt, annotator, its }): AttributedImage => {
    const found = distinctQuestions(its);
    duplicates += found.duplicates.length;
    contradicted += contradictions(found.kept, found.duplicates);
    shared += found.shared.length;
    const answers = (kind: AttributeRow["kind"]) =>
      found.kept.filter((row) => row.kind === kind).map(({ probability }) => probability);
    const reflection = answers("reflection");
    const leakage = answers("leakage");
    const scored = {
      reflection: reflection.filter((each) => each !== null),
      leakage: leakage.filter((each) => each !== null),
    };
    const unscoredReflection = reflection.length - scored.reflection.length;
    const unscoredLeakage = leakage.length - scored.leakage.length;
    return {
      image,
      annotator,
      prompt,
      ...scored,
      unscoredReflection,
      unscoredLeakage,
      unscored: unscoredReflection + unscoredLeakage,
    };
  });
  const names = [rows.map(({ entity }) => entity), rows.map(({ attribute }) => attribute)] as const;
  return { images, duplicates, contradicted, shared, names };
}

/** @throws InputError where rows of one image have two. */
export function promptOf(
  rows: readonly Pick<AttributeRow, "image" | "prompt">[],
): string | undefined {
  const prompts = new Set(rows.flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt])));
  const [first, second] = prompts;
  if (second === undefined) return first;
  throw new InputError(
    `Expected one prompt for image "${rows[0]?.image}" but received "${first}" and "${second}"`,
  );
}

function contradictions(kept: readonly AttributeRow[], later: readonly AttributeRow[]): number {
  if (later.length === 0) return 0;
  const key = ({ entity, attribute, kind }: AttributeRow) =>
    JSON.stringify([entity, attribute, kind]);
  const first = new Map(kept.map((row) => [key(row), row.probability]));
  // A duplicate of a shared question has no kept row that it could contradict.
  return later.filter((row) => {
    const probability = first.get(key(row));
    return probability !== undefined && probability !== row.probability;
  }).length;
}

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
