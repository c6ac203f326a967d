import { z } from "zod";
import type { DescribedEntity } from "../../core/models.js";
import { withArticles } from "../../core/phrases.js";
import { loadData } from "../load-data.js";

/** The lists of descriptions that there are; each is a file of data/attribute-confusion. */
export const descriptionSets = ["outfits", "objects"] as const;
export type DescriptionSet = (typeof descriptionSets)[number];

/** Entities with attributes of their own, and the wording around them. */
export interface Description {
  /** A list's name; of a file of one's own another. */
  readonly set: string;
  /** With {list} where the entities go, or {List} where they begin the sentence. */
  readonly frame: string;
  readonly entities: readonly DescribedEntity[];
  /** The list's own where not given. */
  readonly wording?: DescriptionWording | undefined;
}

/** How entities are put in a row. */
export interface DescriptionWording {
  readonly separator: string;
  readonly last: string;
  /** Entities that take no article. */
  readonly plural: readonly string[];
}

const word = z.string().min(1);

export const descriptionsSchema = z
  .strictObject({
    set: z.enum(descriptionSets),
    frames: z.record(word, z.string().regex(/\{[Ll]ist\}/)),
    separator: word,
    last: word,
    plural: z.array(word),
    patterns: z.array(word),
    descriptions: z
      .array(
        z.strictObject({
          frame: word,
          entities: z.record(
            word,
            word.transform((attributes) => attributes.split(/\s+/)),
          ),
        }),
      )
      .min(1),
  })
  .superRefine(({ frames, patterns, descriptions }, context) => {
    descriptions.forEach(({ frame, entities }, at) => {
      const wrong = (message: string) =>
        context.addIssue({ code: "custom", path: ["descriptions", at], message });
      if (!Object.hasOwn(frames, frame)) wrong(`there is no frame "${frame}"`);
      if (Object.keys(entities).length < 2) wrong("it has fewer than two entities");
      const met = new Set<string>();
      for (const [entity, attributes] of Object.entries(entities)) {
        const own = attributes.filter((attribute) => patterns.includes(attribute));
        if (patterns.length > 0 && own.length !== 1) {
          wrong(`${entity} has ${own.length} patterns, not one`);
        }
        for (const attribute of attributes) {
          if (met.has(attribute)) wrong(`two entities, or one twice, are ${attribute}`);
          met.add(attribute);
        }
      }
    });
    const texts = descriptions.map((one) => JSON.stringify(one));
    texts.forEach((text, at) => {
      if (texts.indexOf(text) < at) {
        const message = "it stands here twice";
        context.addIssue({ code: "custom", path: ["descriptions", at], message });
      }
    });
  });

type DescriptionFile = z.output<typeof descriptionsSchema>;

const files = new Map<DescriptionSet, DescriptionFile>();

function fileOf(set: DescriptionSet): DescriptionFile {
  const known = files.get(set);
  if (known !== undefined) return known;
  const file = loadData(`attribute-confusion/${set}.yaml`, descriptionsSchema);
  files.set(set, file);
  return file;
}

/** The descriptions of these lists, list by list. */
export function loadDescriptions(
  sets: readonly DescriptionSet[] = descriptionSets,
): readonly Description[] {
  return sets.flatMap((set) => {
    const { frames, descriptions } = fileOf(set);
    return descriptions.map(({ frame, entities }) => ({
      set,
      frame: frames[frame] ?? "",
      entities: Object.entries(entities).map(([entity, attributes]) => ({ entity, attributes })),
    }));
  });
}

/**
 * The entities in words, within their frame.
 *
 * @example "A person wearing a striped red skirt and plaid blue trousers."
 */
export function descriptionText({ set, frame, entities, wording }: Description): string {
  const known = descriptionSets.find((one) => one === set) ?? "outfits";
  const { separator, last, plural } = wording ?? fileOf(known);
  const phrases = entities.map(({ entity, attributes }) => {
    const words = [...attributes, entity].join(" ");
    return plural.includes(entity) ? words : withArticles(`a ${words}`);
  });
  const list = [phrases.slice(0, -1).join(separator), ...phrases.slice(-1)].join(last);
  return frame
    .replaceAll("{list}", list)
    .replaceAll("{List}", `${list.charAt(0).toUpperCase()}${list.slice(1)}`);
}

/**
 * The entities with each one's attributes moved on to the next: of two they are exchanged, of more
 * none keeps its own.
 */
export const swapped = (entities: readonly DescribedEntity[]): readonly DescribedEntity[] =>
  entities.map(({ entity }, at) => ({
    entity,
    attributes: entities[(at + 1) % entities.length]?.attributes ?? [],
  }));
