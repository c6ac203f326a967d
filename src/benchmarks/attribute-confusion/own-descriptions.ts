import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { keyOf } from "../../core/keys.js";
import { linedYaml } from "../../files/yaml.js";
import type { Description, DescriptionWording } from "./descriptions.js";

const word = z
  .string()
  .trim()
  .min(1)
  .regex(/^[^{}\p{Cc}]*$/u, "expected one line of words without braces");
const attributes = z.union([word.transform((text) => text.split(/\s+/)), z.array(word).min(1)]);

/** Schema of `build --descriptions` for attribute confusion; data/descriptions.schema.json is made from it. */
export const ownDescriptionsSchema = z.strictObject({
  set: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "expected small letters, digits and dashes")
    .default("own"),
  frames: z
    .record(z.string().min(1), z.string().regex(/\{[Ll]ist\}/, "expected {list} or {List}"))
    .default({ plain: "{List}." }),
  separator: z.string().min(1).default(", "),
  last: z.string().min(1).default(" and "),
  plural: z.array(word).default([]),
  descriptions: z
    .array(
      z.strictObject({
        frame: z.string().min(1).optional(),
        entities: z.record(word, attributes),
      }),
    )
    .min(1),
});

/** Descriptions of one's own, with the words that make sentences of them. */
export interface OwnDescriptions {
  readonly set: string;
  readonly descriptions: readonly Description[];
  readonly wording: DescriptionWording;
  /** Tells them from those of another file. */
  readonly revision: string;
}

/**
 * Reads descriptions of one's own: entities with their attributes, in words or as a list where one has
 * several words, within a frame.
 *
 * @throws InputError that lists every problem with its line.
 */
export function readOwnDescriptions({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): OwnDescriptions {
  const { value, lineOf } = linedYaml(
    file,
    text,
    ownDescriptionsSchema,
    "data/descriptions.schema.json describes every member; docs/own-attributes.md has an example.",
  );
  const { set, frames, separator, last, plural } = value;
  const [firstFrame = ""] = Object.keys(frames);
  const problems: string[] = [];
  const seen = new Map<string, number>();
  for (const [at, { frame = firstFrame, entities }] of value.descriptions.entries()) {
    const tell = (problem: string) =>
      problems.push(`${lineOf(["descriptions", at])}: descriptions.${at}: ${problem}`);
    if (!Object.hasOwn(frames, frame)) {
      tell(`there is no frame "${frame}"; there are ${Object.keys(frames).join(", ")}`);
    }
    if (Object.keys(entities).length < 2) tell("expected two entities or more");
    const owners = new Map<string, string>();
    for (const [entity, words] of Object.entries(entities)) {
      for (const attribute of words) {
        const owner = owners.get(attribute.toLowerCase());
        if (owner !== undefined) {
          tell(`"${attribute}" is of ${owner} and of ${entity}; swapped, nobody could tell`);
        }
        owners.set(attribute.toLowerCase(), entity);
      }
    }
    const key = JSON.stringify([frame, entities]);
    const before = seen.get(key);
    if (before !== undefined) tell(`it stands at descriptions.${before} already`);
    else seen.set(key, at);
  }
  if (problems.length > 0)
    throw new InputError(`Expected valid descriptions in ${file} but found problems`, { problems });
  return {
    set,
    wording: { separator, last, plural },
    revision: keyOf({ text }).slice(0, 12),
    descriptions: value.descriptions.map(({ frame = firstFrame, entities }) => ({
      set,
      frame: frames[frame] ?? "",
      entities: Object.entries(entities).map(([entity, words]) => ({ entity, attributes: words })),
    })),
  };
}
