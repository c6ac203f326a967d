import { append } from "../core/arrays.js";
import { randomFrom } from "../core/random.js";
import type { Prompt } from "./prompt.js";

const groups = ["persona", "template", "criterion", "glyphs", "order"] as const;

/**
 * Some prompts of a pool, drawn by `seed` and balanced: each part of a group stands in as many as any
 * other, give or take one where the pool has all combinations, and parts meet each other as evenly as
 * that allows. With the same seed the first N of a larger sample are the sample of N.
 *
 * @returns in the order in which they were drawn; all where there are no more than `count`
 */
export function samplePrompts({
  prompts,
  count,
  seed,
}: {
  readonly prompts: readonly Prompt[];
  readonly count: number;
  readonly seed: number;
}): Prompt[] {
  const left = randomFrom(seed, "prompts").shuffle(prompts);
  const numbers = new Map<string, number>();
  const numbered = (names: readonly string[]) =>
    Int32Array.from(names, (name) => {
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      return number;
    });
  const parts = left.map((prompt) => numbered(partsOf(prompt)));
  const meetings = left.map((prompt) => numbered(meetingsOf(prompt)));
  const used = new Int32Array(numbers.size);
  const isTaken = new Uint8Array(left.length);
  const chosen: Prompt[] = [];
  while (chosen.length < Math.min(count, left.length)) {
    let best = -1;
    let [fewestParts, fewestMeetings] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let at = 0; at < left.length; at++) {
      if (isTaken[at] === 1) continue;
      const ofParts = sumOf(used, parts[at]);
      if (ofParts > fewestParts) continue;
      const ofMeetings = sumOf(used, meetings[at]);
      if (ofParts === fewestParts && ofMeetings >= fewestMeetings) continue;
      [best, fewestParts, fewestMeetings] = [at, ofParts, ofMeetings];
    }
    isTaken[best] = 1;
    append(chosen, left.slice(best, best + 1));
    for (const names of [parts[best], meetings[best]]) {
      for (const number of names ?? []) used[number] = (used[number] ?? 0) + 1;
    }
  }
  return chosen;
}

/** How often the things with these numbers were used. */
function sumOf(used: Int32Array, numbers: Int32Array = new Int32Array()): number {
  let sum = 0;
  for (const number of numbers) sum += used[number] ?? 0;
  return sum;
}

const partsOf = ({ parts }: Prompt): string[] => groups.map((group) => `${group} ${parts[group]}`);

/** Each two of a prompt's parts. */
function meetingsOf(prompt: Prompt): string[] {
  const parts = partsOf(prompt);
  return parts.flatMap((one, at) => parts.slice(at + 1).map((other) => `${one}, ${other}`));
}
