import { knobValues, type Templates } from "./templates.js";
import type { TripletRequest } from "./triplet.js";

/** Where a sentence states the knob: the value, and the sentence with that place left open. */
export interface KnobReading {
  readonly value: string;
  /** The words that state it, and the sentence before and after them. */
  readonly stated: string;
  readonly before: string;
  readonly after: string;
  readonly frame: string;
}

/** Every place at which `sentence` states the knob about the extra object, in the right number. */
export function readKnob(
  sentence: string,
  { knob, extra }: Pick<TripletRequest, "knob" | "extra">,
  templates: Templates,
): KnobReading[] {
  const plural = templates.extras[extra]?.plural ?? extra;
  const values = knobValues(templates, knob, extra).map(escaped).join("|");
  const pattern = escaped(templates.knobs[knob].states)
    .replace("\\{value\\}", `(?<value>${values})`)
    .replace("\\{extras\\}", `(?<noun>${escaped(plural)}|${escaped(extra)})`)
    .replace("a \\{extra\\}", "an? \\{extra\\}")
    .replace("\\{extra\\}", escaped(extra));
  return [...sentence.matchAll(wholeWords(pattern))].flatMap(({ 0: found, index, groups }) => {
    const value = groups?.value?.toLowerCase() ?? "";
    const noun = groups?.noun?.toLowerCase();
    if (noun !== undefined && noun !== (value === "one" ? extra : plural)) return [];
    const before = sentence.slice(0, index);
    const after = sentence.slice(index + found.length);
    // The article goes with the value: "a red ball", "an orange ball".
    const frame = `${before.replace(/\b(a)n $/i, "$1 ")}…${after}`;
    return [{ value, stated: found, before, after, frame }];
  });
}

/** The first of `words` (or phrases) that `text` holds as whole words, in whatever case. */
export const firstMentioned = (text: string, words: readonly string[]): string | undefined =>
  text.match(wholeWords(words.map(escaped).join("|")))?.[0];

/** How often `text` holds `words` as whole words, in whatever case. */
export const timesMentioned = (text: string, words: string): number =>
  [...text.matchAll(wholeWords(escaped(words)))].length;

const compiled = new Map<string, RegExp>();

function wholeWords(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  // \b would see no edge after the "+" of "LGBTQ+".
  const made = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu");
  compiled.set(pattern, made);
  return made;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
