import {
  type ImagePair,
  imagePairs,
  type Selection,
  selector,
} from "../../analysis/pairs/image-pairs.js";
import { comparisons } from "../../analysis/pairs/prototypicality-effect.js";
import { smallestOf } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import { randomFrom } from "../../core/random.js";
import type { DoneRecord } from "../../core/records.js";
import type { RunRecords } from "../run-records.js";
import type { Split } from "./scenes.js";

/** Kinds of pairs that a metric may be trained on: the comparisons, and an image of another prompt. */
export const trainingKinds = [...comparisons, "foreign"] as const;
export type TrainingKind = (typeof trainingKinds)[number];

/** Both controls together get as many pairs as each other kind. */
const weights: Readonly<Record<TrainingKind, number>> = {
  contrastive: 2,
  "control-atypical": 1,
  "control-typical": 1,
  reversed: 2,
  foreign: 2,
};

interface TrainingImage {
  readonly image: Hash;
  readonly mediaType: string;
  /** The sentence that it was made from. */
  readonly caption: string;
}

/** Two images for one text; `correct` shows it and `adversarial` does not. */
export interface TrainingPair {
  readonly id: string;
  readonly kind: TrainingKind;
  readonly split: Split;
  readonly domain: string;
  readonly category: string;
  readonly knob: string;
  readonly nonPrototype: string;
  readonly prototype: string;
  readonly text: string;
  readonly correct: TrainingImage;
  readonly adversarial: TrainingImage;
}

export interface TrainingPairs {
  readonly pairs: readonly TrainingPair[];
  /** Pairs of the split that were not taken, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/**
 * Pairs to train a metric on, as many of each domain and of each kind (the two controls count as one).
 * A foreign pair sets an image that shows the text against one of another prompt that names another
 * extra or place, so that the text is false of it.
 *
 * @param selection which pairs count: see `selector`
 * @param total how many in all; undefined: as many as can be even
 * @param apart sentences that none of the pairs may have: those of evaluation and human splits
 * @throws InputError where there are fewer than `total`, or none of a kind in a domain.
 */
export function trainingPairs({
  records,
  selection,
  split,
  kinds,
  total,
  seed,
  apart,
}: {
  readonly records: RunRecords;
  readonly selection: Selection;
  readonly split: Split;
  readonly kinds: readonly TrainingKind[];
  readonly total?: number | undefined;
  readonly seed: number;
  readonly apart: ReadonlySet<string>;
}): TrainingPairs {
  const why = selector(selection, records.scores);
  const leftOut: Record<string, number> = {};
  const splits = new Set(records.prompts.map((prompt) => prompt.split));
  if (!splits.has(split)) {
    throw new InputError(
      `Expected prompts of the split ${split} but received a run of ${[...splits].join(" and ")} alone`,
      { hint: `Build a run to train on, by: touchstone build --run DIR --split ${split}` },
    );
  }
  const compared = imagePairs(records).filter(({ prompt }) => prompt.split === split);
  const offered = [
    ...compared.map((pair) => ({ pair, kind: pair.comparison as TrainingKind })),
    ...(kinds.includes("foreign") ? foreignPairs(compared, seed) : []).map((pair) => ({
      pair,
      kind: "foreign" as const,
    })),
  ];
  const found = offered
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ pair, kind }): TrainingPair[] => {
      const { prompt, correct, adversarial } = pair;
      const shared = [prompt.text, correct.text, adversarial.text].some((one) => apart.has(one));
      const reason = shared ? "a sentence of another split" : why(pair);
      const made = trainingPair(pair, kind);
      if (reason === undefined && made !== undefined) return [made];
      const name = reason ?? "image not made";
      leftOut[name] = (leftOut[name] ?? 0) + 1;
      return [];
    });
  return { pairs: evenly(found, { kinds, total, seed }), leftOut };
}

/** The sentences of prompts of all splits but one. */
export const sentencesApart = (
  { prompts }: Pick<RunRecords, "prompts">,
  split: Split,
): ReadonlySet<string> =>
  new Set(
    prompts.flatMap((prompt) =>
      prompt.status === "done" && prompt.split !== split
        ? [
            prompt.text,
            prompt.correct,
            prompt.adversarial,
            prompt.controlCorrect,
            prompt.controlAdversarial,
          ]
        : [],
    ),
  );

function trainingPair(
  { id, prompt, correct, adversarial }: ImagePair,
  kind: TrainingKind,
): TrainingPair | undefined {
  if (correct.status !== "done" || adversarial.status !== "done") return undefined;
  const { split, domain, category, knob, nonPrototype, prototype, text } = prompt;
  const imageOf = ({ image, mediaType, text: caption }: DoneRecord<"image">): TrainingImage => ({
    image,
    mediaType,
    caption,
  });
  return {
    id,
    kind,
    split,
    domain,
    category,
    knob,
    nonPrototype,
    prototype,
    text,
    correct: imageOf(correct),
    adversarial: imageOf(adversarial),
  };
}

/** For each prompt's right images one of another prompt, drawn by `seed`. */
function foreignPairs(pairs: readonly ImagePair[], seed: number): ImagePair[] {
  const right = pairs.filter(
    ({ comparison }) => comparison === "contrastive" || comparison === "control-typical",
  );
  return right.flatMap((pair): ImagePair[] => {
    const random = randomFrom(seed, "foreign", pair.id);
    const { extra, environment } = pair.prompt;
    // Few share either, so that a handful of draws finds one.
    for (let draw = 0; draw < 20; draw++) {
      const other = right[random.integer(right.length)];
      if (other === undefined) break;
      if (other.prompt.extra === extra || other.prompt.environment === environment) continue;
      const id = pair.id.replace(pair.comparison, `foreign-${pair.correct.role}`);
      return [{ ...pair, id, adversarial: other.correct }];
    }
    return [];
  });
}

function evenly(
  pairs: readonly TrainingPair[],
  {
    kinds,
    total,
    seed,
  }: {
    readonly kinds: readonly TrainingKind[];
    readonly total: number | undefined;
    readonly seed: number;
  },
): TrainingPair[] {
  const domains = [...new Set(pairs.map(({ domain }) => domain))];
  const cells = domains.flatMap((domain) =>
    kinds.map((kind) => ({
      name: `${kind} in ${domain}`,
      weight: weights[kind],
      own: randomFrom(seed, "training pairs", domain, kind).shuffle(
        pairs.filter((pair) => pair.domain === domain && pair.kind === kind),
      ),
    })),
  );
  const lacking = cells.filter(({ own, weight }) => own.length < weight);
  if (cells.length === 0 || lacking.length > 0) {
    throw new InputError(
      `Expected pairs of every kind in every domain but received ${pairs.length === 0 ? "none" : `too few ${lacking.map(({ name }) => name).join(", ")}`}`,
      {
        hint: "Pairs take images that the run's filter or truth check keeps: generate more of them, or ask for other kinds by --kind.",
      },
    );
  }
  const whole = kinds.reduce((sum, kind) => sum + weights[kind], 0) * domains.length;
  const most = Math.floor(smallestOf(cells.map(({ own, weight }) => own.length / weight)));
  const capacity = most * whole;
  const least = Math.ceil(whole / smallestOf(cells.map(({ weight }) => weight)));
  const wanted = total ?? capacity;
  if (wanted > capacity || wanted < least) {
    const limit = wanted < least ? `at least ${least}` : `at most ${capacity}`;
    throw new InputError(
      `Expected ${limit} pairs, even over domains and kinds, but received ${wanted}`,
      {
        hint: `There can be ${least} to ${capacity}. Generate more images for prompts of this split, or ask for fewer kinds.`,
      },
    );
  }
  return cells.flatMap(({ own, weight }) => own.slice(0, Math.floor((wanted * weight) / whole)));
}
