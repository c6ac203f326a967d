import type { Key } from "../../core/keys.js";
import { type DoneRecord, type ImageRole, imageRoles, type RecordOf } from "../../core/records.js";
import { type Comparison, comparisons } from "./prototypicality-effect.js";

/** The records of a contrastive benchmark, the latest attempt of each. */
export interface BenchmarkRecords {
  readonly prompts: Iterable<RecordOf<"prompt">>;
  readonly images: Iterable<RecordOf<"image">>;
  readonly scores: Iterable<RecordOf<"score">>;
}

/** Names the triplet that an image belongs to: `PROMPT/SAMPLE`. */
export const tripletOf = ({
  prompt,
  sample,
}: {
  readonly prompt: string;
  readonly sample: number;
}): string => `${prompt}/${sample}`;

/** Why each triplet that somebody excluded by hand is left out, by its name. */
export type ExcludedTriplets = ReadonlyMap<string, string>;

/** In each comparison the first image shows the text and the second does not. */
const rolesOf: Readonly<Record<Comparison, { correct: ImageRole; adversarial: ImageRole }>> = {
  contrastive: { correct: "correct", adversarial: "adversarial" },
  "control-atypical": { correct: "correct", adversarial: "control-adversarial" },
  "control-typical": { correct: "control-correct", adversarial: "adversarial" },
  reversed: { correct: "control-correct", adversarial: "control-adversarial" },
};

/** Two images of one prompt and sample that were asked for, made or not. */
export interface ImagePair {
  /** `prompt/sample/comparison`. */
  readonly id: string;
  readonly prompt: DoneRecord<"prompt">;
  readonly sample: number;
  readonly comparison: Comparison;
  readonly correct: RecordOf<"image">;
  readonly adversarial: RecordOf<"image">;
}

/** Every pair of images, prompt by prompt; images of prompts that are not given are left aside. */
export function imagePairs({
  prompts,
  images,
}: Pick<BenchmarkRecords, "prompts" | "images">): ImagePair[] {
  const byPrompt = new Map<Key, Map<number, Map<ImageRole, RecordOf<"image">>>>();
  for (const image of images) {
    const role = imageRoles.find((one) => one === image.role);
    if (role === undefined) continue;
    const samples = entry(byPrompt, image.prompt, () => new Map());
    entry(samples, image.sample, () => new Map()).set(role, image);
  }
  const pairs: ImagePair[] = [];
  for (const prompt of prompts) {
    if (prompt.status !== "done") continue;
    for (const [sample, roles] of byPrompt.get(prompt.key) ?? []) {
      for (const comparison of comparisons) {
        const correct = roles.get(rolesOf[comparison].correct);
        const adversarial = roles.get(rolesOf[comparison].adversarial);
        if (correct === undefined || adversarial === undefined) continue;
        const id = `${prompt.key}/${sample}/${comparison}`;
        pairs.push({ id, prompt, sample, comparison, correct, adversarial });
      }
    }
  }
  return pairs;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

/**
 * Which pairs count: all, or those of which `metric` scored *both* images at least `atLeast`
 * against their own prompts (the paper's filtration keeps 8 of 10 and more; a truth check says 1).
 */
export type Selection =
  | { readonly name: "unfiltered" }
  | {
      readonly name: "filtered" | "truth-filtered";
      readonly metric: string;
      readonly atLeast: number;
    };

/**
 * Says of a pair why the selection drops it; undefined where it stays. A pair that lacks an image
 * or a rating can't be kept, and says which.
 */
export function selector(
  selection: Selection,
  scores: Iterable<RecordOf<"score">>,
): (pair: ImagePair) => string | undefined {
  if (selection.name === "unfiltered") return () => undefined;
  const { metric, atLeast } = selection;
  const ratings = new Map<string, RecordOf<"score">>();
  for (const score of scores) {
    if (score.metric === metric && score.trial === 0)
      ratings.set(`${score.of} ${score.text}`, score);
  }
  return ({ correct, adversarial }) => {
    const low: string[] = [];
    const sides = { correct, adversarial };
    for (const [side, image] of Object.entries(sides)) {
      if (image.status === "unscored") return `image not made: ${image.reason}`;
      const rating = ratings.get(`${image.key} ${image.text}`);
      if (rating === undefined) return "image not rated";
      if (rating.status === "unscored") return `image not rated: ${rating.reason}`;
      if (rating.value < atLeast) low.push(side);
    }
    if (low.length === 0) return undefined;
    const which = low.length === 2 ? "both images" : `${low[0]} image`;
    if (selection.name === "filtered") return `${which} below the threshold`;
    return low.length === 2
      ? "both images do not show what their prompts say"
      : `${which} does not show what its prompt says`;
  };
}

/** Returns the number of triplets excluded by hand with the reasons; nothing where there are none. */
export function excludedWarnings(excluded: ExcludedTriplets): string[] {
  if (excluded.size === 0) return [];
  const counts = new Map<string, number>();
  for (const reason of excluded.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => `${reason} (${count})`).join("; ");
  const triplets = excluded.size === 1 ? "1 triplet is" : `${excluded.size} triplets are`;
  return [`${triplets} excluded by hand: ${reasons}`];
}
