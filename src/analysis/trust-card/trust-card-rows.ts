/**
 * A row of the table that a trust card is drawn from: one score, the two of a pair, or what a judge
 * said of a pair of images in both orders; and what is known of it. Every column may be missing; a figure is made of the rows that have its columns. Null
 * stands for no answer.
 */
export interface CardRow {
  readonly id: string;
  /** The key of the record behind it, where there is one. */
  readonly record?: string | undefined;
  /** Rows of one prompt are drawn together; with the image it says which item was scored. */
  readonly prompt?: string | undefined;
  readonly image?: string | undefined;
  readonly score?: number | null | undefined;
  /** "contrastive" (where missing), a control of it, or "attribute-swap". */
  readonly comparison?: string | undefined;
  readonly domain?: string | undefined;
  readonly knob?: string | undefined;
  /** The scores of what is right and of what is wrong. */
  readonly correct?: number | null | undefined;
  readonly adversarial?: number | null | undefined;
  /** P(the image shown first is better), as a judge of pairs says, a tie counting half. */
  readonly first?: number | null | undefined;
  /** The same with the two images turned round, so that the other one is shown first. */
  readonly turned?: number | null | undefined;
  /** 1 where neither image is better. */
  readonly equal?: 0 | 1 | null | undefined;
  /** People's rating of the image, more is better. */
  readonly human?: number | null | undefined;
  /** 1 if the image shows the text; for a judged pair, if the image first in `first` is better. */
  readonly label?: 0 | 1 | null | undefined;
  /** P(label is 1), where the metric says one. */
  readonly probability?: number | null | undefined;
  readonly trial?: string | undefined;
  readonly paraphrase?: string | undefined;
  readonly degradation?: string | undefined;
  /** 0 is the picture as it is; without a degradation it begins the series of all of them. */
  readonly level?: number | null | undefined;
  /** Seconds of an answer; for a judged pair, of both answers. */
  readonly seconds?: number | null | undefined;
  /** In US dollars. */
  readonly cost?: number | null | undefined;
}

const attributeSwap = "attribute-swap";

export type PairCardRow = CardRow & {
  readonly correct: number | null;
  readonly adversarial: number | null;
};
export type ScoreCardRow = CardRow & { readonly score: number | null };

const isPair = ({ comparison, correct, adversarial }: CardRow) =>
  comparison !== undefined || typeof correct === "number" || typeof adversarial === "number";

const isJudged = (row: CardRow) =>
  !isPair(row) && [row.first, row.turned, row.equal].some((cell) => typeof cell === "number");

export type AnsweredCardRow = CardRow & { readonly first: number; readonly turned: number };

/** Tests if a judge answered about the pair in both orders. */
export const isAnswered = (row: CardRow): row is AnsweredCardRow =>
  typeof row.first === "number" && typeof row.turned === "number";

/** P(the image that stands first in `first` is better), the mean of both orders. */
export const preferenceOf = ({ first, turned }: AnsweredCardRow) => (first + 1 - turned) / 2;

/** Tests if the row has its score, its two scores or its two answers. */
export function isScored(row: CardRow): boolean {
  if (isPair(row)) return typeof row.correct === "number" && typeof row.adversarial === "number";
  return isJudged(row) ? isAnswered(row) : typeof row.score === "number";
}

const pairsWhere = (
  rows: readonly CardRow[],
  isWanted: (row: CardRow) => boolean,
): PairCardRow[] => {
  // A table of nothing but pairs may leave both scores empty: then the pair was not scored.
  const isOnlyPairs = rows.every(({ score }) => score === undefined);
  return rows
    .filter((row) => (isPair(row) || (isOnlyPairs && row.correct === null)) && isWanted(row))
    .map((row) => ({ ...row, correct: row.correct ?? null, adversarial: row.adversarial ?? null }));
};

/** A right and a wrong image for one text, and their controls. */
export const contrastiveRows = (rows: readonly CardRow[]) =>
  pairsWhere(rows, ({ comparison }) => comparison !== attributeSwap);

/** A right text and the same with its attributes swapped, for one image. */
export const swapRows = (rows: readonly CardRow[]) =>
  pairsWhere(rows, ({ comparison }) => comparison === attributeSwap);

/** Pairs of images of which a judge said, or should have said, which is better, in both orders. */
export const judgedPairs = (rows: readonly CardRow[]) => rows.filter(judgedIn(rows));

/** Pairs where neither image is better. */
export const equalPairs = (rows: readonly CardRow[]) =>
  judgedPairs(rows).filter(({ equal }) => equal === 1);

/** Pairs whose label says if the image first in `first` is better. */
export const labelledPairs = (rows: readonly CardRow[]) =>
  judgedPairs(rows).filter(({ label }) => typeof label === "number");

/** A table of nothing but judged pairs may leave both answers empty: then nobody answered. */
function judgedIn(rows: readonly CardRow[]): (row: CardRow) => boolean {
  const isOnlyJudged = rows.every(
    ({ score, correct }) => score === undefined && correct === undefined,
  );
  return (row) => isJudged(row) || (isOnlyJudged && row.first === null);
}

function scored(rows: readonly CardRow[]): ScoreCardRow[] {
  const isOfJudge = judgedIn(rows);
  return rows.flatMap((row) =>
    isPair(row) || isOfJudge(row) ? [] : [{ ...row, score: row.score ?? null }],
  );
}

const isChanged = ({ degradation, level }: CardRow) =>
  degradation !== undefined || (level ?? 0) !== 0;
const isRepeated = ({ trial, paraphrase }: CardRow) =>
  paraphrase !== undefined || (trial !== undefined && trial !== "0");

/** Pictures as they are, scored once. */
const plainRows = (rows: readonly CardRow[]) =>
  scored(rows).filter((row) => !isChanged(row) && !isRepeated(row));

export const humanRows = (rows: readonly CardRow[]) =>
  plainRows(rows).filter(({ human }) => typeof human === "number");

export const labelRows = (rows: readonly CardRow[]) =>
  plainRows(rows).filter(({ label }) => typeof label === "number");

/** Labelled rows of a table that has probabilities. */
export const probabilityRows = (rows: readonly CardRow[]) =>
  rows.some(({ probability }) => typeof probability === "number") ? labelRows(rows) : [];

/** Asked several times in the same words. */
export const trialRows = (rows: readonly CardRow[]) =>
  scored(rows).filter(
    (row) =>
      row.trial !== undefined &&
      row.image !== undefined &&
      row.paraphrase === undefined &&
      !isChanged(row),
  );

/** Asked in several wordings. */
export const paraphraseRows = (rows: readonly CardRow[]) =>
  scored(rows).filter(
    (row) =>
      row.paraphrase !== undefined &&
      row.image !== undefined &&
      (row.trial ?? "0") === "0" &&
      !isChanged(row),
  );

/**
 * The series of one degradation; those that begin without one begin with level 0 of no degradation.
 * Images that do not show their texts have none: their scores need not fall.
 */
export function degradedRows(
  rows: readonly CardRow[],
  degradation: string,
): (ScoreCardRow & { readonly level: number })[] {
  const untrue = new Set(rows.filter(({ label }) => label === 0).map(itemOf));
  const withLevel = scored(rows).flatMap((row) =>
    typeof row.level === "number" && row.image !== undefined && !untrue.has(itemOf(row))
      ? [{ ...row, level: row.level }]
      : [],
  );
  const own = withLevel.filter((row) => row.degradation === degradation);
  const begun = new Set(own.filter(({ level }) => level === 0).map(itemOf));
  const items = new Set(own.map(itemOf));
  const firsts = withLevel.filter(
    (row) =>
      row.degradation === undefined &&
      row.level === 0 &&
      items.has(itemOf(row)) &&
      !begun.has(itemOf(row)),
  );
  return [...firsts, ...own];
}

/** Names the sample that was scored: an image with its prompt. */
export const itemOf = ({ image = "", prompt = "" }: CardRow): string =>
  JSON.stringify([image, prompt]);
