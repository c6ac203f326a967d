/** What people were asked; figures of different questions are never averaged. */
export const questionKinds = ["alignment", "quality", "preference", "edits"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/**
 * One image with people's ratings, or one pair with people's preferences: then each number says how far the
 * first of the two is better (1, 0 for a tie, -1), or by how much its score is higher.
 */
export interface EvidenceItem {
  readonly id: string;
  readonly prompt: string;
  /** Who made the image. */
  readonly generator?: string | undefined;
  /** Each rater's answer, a place for each; null where there is none. */
  readonly people: readonly (number | null)[];
  /** By metric; null where it is unscored. */
  readonly scores: Readonly<Record<string, number | null>>;
  /** By judge, of pairs; null where the reply could not be read. */
  readonly votes: Readonly<Record<string, number | null>>;
  /** By metric that gives them, of pairs: that the first is better. */
  readonly probabilities: Readonly<Record<string, number | null>>;
}

/** A published set in the form that all figures are computed from. */
export interface EvidenceTable {
  readonly isPairs: boolean;
  readonly items: readonly EvidenceItem[];
  readonly metrics: readonly string[];
  readonly judges: readonly string[];
}

/** The mean of the answers that there are; NaN without one. */
export function meanAnswer(answers: readonly (number | null)[]): number {
  let sum = 0;
  let count = 0;
  for (const answer of answers) {
    if (answer === null) continue;
    sum += answer;
    count += 1;
  }
  return sum / count;
}
