import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import type { Picture } from "../../../core/models.js";
import {
  type DegradationLevel,
  degradationLevels,
  degradations,
  degrade,
} from "../../../images/degrade.js";
import { pictureOfPixels } from "../../../images/pixels-picture.js";

/** One text that leaves a member's kind open, and a right and a wrong picture of two members. */
export interface LabTriplet {
  readonly domain: string;
  readonly knob: string;
  readonly text: string;
  readonly typical: { readonly right: Picture; readonly wrong: Picture };
  readonly atypical: { readonly right: Picture; readonly wrong: Picture };
}

/** A picture with a text that is true of it and one that is false in a word. */
export interface LabStatement {
  readonly picture: Picture;
  readonly true: string;
  readonly false: string;
}

/** A picture with two things of different colours, and texts about both. */
export interface LabBinding {
  readonly picture: Picture;
  readonly text: string;
  /** With each thing in the other's colour. */
  readonly swapped: string;
  readonly paraphrases: readonly { readonly name: string; readonly text: string }[];
}

/** Samples for a metric's card, as many of each kind. */
export interface LabSample {
  readonly triplets: readonly LabTriplet[];
  readonly statements: readonly LabStatement[];
  readonly bindings: readonly LabBinding[];
}

/** Pair of the lab's pictures, and which is known to be better, or that neither is. */
export interface KnownPair {
  readonly id: string;
  readonly caption: string;
  readonly a: Picture;
  readonly b: Picture;
  readonly known: Pick<CardRow, "label" | "equal">;
}

/** Question to a metric for one column of a row. */
export interface Ask {
  readonly picture: () => Promise<Picture>;
  /** Which picture, and how it was changed: the answer is known again by it. */
  readonly shown: string;
  readonly text: string;
  readonly trial?: number;
}

/** A row of the card's table before its scores. */
export interface AskedRow {
  readonly row: Omit<CardRow, "score" | "correct" | "adversarial" | "probability" | "seconds">;
  readonly asks: { readonly [Column in "score" | "correct" | "adversarial"]?: Ask };
  /** Whether its time tells how long a new picture takes. */
  readonly isTimed?: boolean;
}

const trials = [1, 2] as const;

/**
 * All that a metric is asked for its card, in this order: triplets with their controls, swaps,
 * wordings, statements, degraded pictures, and the statements again. The repetition comes last, so
 * that no model still remembers the picture.
 */
export function cardAsks({ triplets, statements, bindings }: LabSample): AskedRow[] {
  return [
    ...triplets.flatMap(ofTriplet),
    ...bindings.flatMap(ofBinding),
    ...statements.flatMap(ofStatement),
    ...trials.flatMap((trial) => statements.map((each, at) => again(each, at, trial))),
  ];
}

const ask = (picture: Picture, text: string): Ask => ({
  picture: async () => picture,
  shown: picture.hash,
  text,
});

function ofTriplet(triplet: LabTriplet, at: number): AskedRow[] {
  const { domain, knob, text, typical, atypical } = triplet;
  const sides = {
    contrastive: [atypical.right, typical.wrong],
    "control-atypical": [atypical.right, atypical.wrong],
    "control-typical": [typical.right, typical.wrong],
    reversed: [typical.right, atypical.wrong],
  } as const;
  return Object.entries(sides).map(([comparison, [right, wrong]]) => ({
    row: { id: `triplet-${at}/${comparison}`, prompt: text, comparison, domain, knob },
    asks: { correct: ask(right, text), adversarial: ask(wrong, text) },
  }));
}

function ofBinding({ picture, text, swapped, paraphrases }: LabBinding, at: number): AskedRow[] {
  const image = picture.hash;
  return [
    {
      row: { id: `swap-${at}`, prompt: text, image, comparison: "attribute-swap" },
      asks: { correct: ask(picture, text), adversarial: ask(picture, swapped) },
    },
    ...paraphrases.map((paraphrase) => ({
      row: {
        id: `wording-${at}/${paraphrase.name}`,
        prompt: text,
        image,
        paraphrase: paraphrase.name,
      },
      asks: { score: ask(picture, paraphrase.text) },
    })),
  ];
}

/** States the true text of every second picture, and the false one of the others. */
const stated = (statement: LabStatement, at: number) =>
  at % 2 === 0
    ? ({ text: statement.true, label: 1 } as const)
    : ({ text: statement.false, label: 0 } as const);

function ofStatement(statement: LabStatement, at: number): AskedRow[] {
  const { picture } = statement;
  const image = picture.hash;
  const { text, label } = stated(statement, at);
  const shared = { prompt: statement.true, image };
  const series = degradations.flatMap((degradation) =>
    degradationLevels.slice(1).map(
      (level): AskedRow => ({
        row: { id: `degraded-${at}/${degradation}/${level}`, ...shared, degradation, level },
        asks: {
          score: {
            picture: () => degraded(picture, degradation, level),
            shown: `${image}/${degradation}/${level}`,
            text: statement.true,
          },
        },
      }),
    ),
  );
  return [
    {
      row: { id: `statement-${at}`, prompt: text, image, label, trial: "0" },
      asks: { score: ask(picture, text) },
      isTimed: true,
    },
    {
      row: { id: `degraded-${at}/as it is`, ...shared, level: 0 },
      asks: { score: ask(picture, statement.true) },
    },
    ...series,
  ];
}

function again(statement: LabStatement, at: number, trial: number): AskedRow {
  const { text, label } = stated(statement, at);
  const image = statement.picture.hash;
  return {
    row: { id: `statement-${at}/${trial}`, prompt: text, image, label, trial: String(trial) },
    asks: { score: { ...ask(statement.picture, text), trial } },
  };
}

/** A degraded picture of the lab's, which is still known as one by what it was made from. */
async function degraded(
  picture: Picture,
  degradation: (typeof degradations)[number],
  level: DegradationLevel,
): Promise<Picture> {
  const pixels = degrade(await picture.pixels(), { degradation, level, seed: picture.hash });
  return pictureOfPixels(pixels, picture);
}
