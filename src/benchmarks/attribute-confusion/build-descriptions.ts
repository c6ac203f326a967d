import {
  type DescribedEntity,
  type ImageGenerator,
  modelName,
  placedName,
} from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { About } from "../../core/records.js";
import { partNamed, type Step } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import { paintPicture } from "../paint-picture.js";
import {
  type Description,
  type DescriptionSet,
  descriptionSets,
  descriptionText,
  loadDescriptions,
  swapped,
} from "./descriptions.js";
import type { OwnDescriptions } from "./own-descriptions.js";

export interface BuildDescriptionsOptions {
  readonly seed: number;
  readonly sets?: readonly DescriptionSet[];
  /** Descriptions of one's own, in place of the lists. */
  readonly own?: OwnDescriptions | undefined;
  /** At most so many in all, spread evenly over the sets and drawn by `seed`; all where not given. */
  readonly count?: number | undefined;
  /** Why a generator can't draw a sentence; such descriptions become unscored, `not-applicable`. */
  readonly cannotDraw?: ((sentence: string) => string | undefined) | undefined;
  readonly descriptions?: readonly Description[];
}

/**
 * The step that writes the benchmark's descriptions: each in words, and once more with the
 * attributes swapped between its entities (L-VQAScore, section 3.2).
 */
export function buildDescriptions({
  seed,
  sets: lists = descriptionSets,
  own,
  count,
  cannotDraw,
  descriptions = own?.descriptions ?? loadDescriptions(lists),
}: BuildDescriptionsOptions): Step<"description"> {
  const sets = own === undefined ? lists : [own.set];
  return {
    name: "build-descriptions",
    version: 1,
    produces: "description",
    parameters: {
      seed,
      sets,
      drawableOnly: cannotDraw !== undefined,
      ...(count === undefined ? {} : { count }),
      ...(own === undefined ? {} : { descriptions: own.revision }),
    },
    async *plan() {
      for (const [at, set] of sets.entries()) {
        const all = descriptions.filter((one) => one.set === set);
        const upTo = (end: number) => Math.floor(((count ?? 0) * end) / sets.length);
        const share = count === undefined ? all.length : upTo(at + 1) - upTo(at);
        const chosen = new Set(
          randomFrom(seed, "descriptions", set)
            .shuffle([...all.keys()])
            .slice(0, share),
        );
        for (const { frame, entities } of all.filter((_, place) => chosen.has(place))) {
          yield {
            benchmark: "attribute-confusion",
            set,
            frame,
            entities: plain(entities),
          } satisfies About<"description">;
        }
      }
    },
    async perform(about) {
      const { set, frame, entities } = about;
      const swappedEntities = swapped(entities);
      const said = { set, frame, wording: own?.wording };
      const text = descriptionText({ ...said, entities });
      const negative = descriptionText({ ...said, entities: swappedEntities });
      const reason = cannotDraw?.(text) ?? cannotDraw?.(negative);
      if (reason !== undefined) throw new NoAnswer("not-applicable", reason);
      return { text, swapped: negative, swappedEntities: plain(swappedEntities) };
    },
  };
}

const plain = (entities: readonly DescribedEntity[]) =>
  entities.map(({ entity, attributes }) => ({ entity, attributes: [...attributes] }));

/**
 * The steps that make images from the descriptions, one for each generator: `samples` images of each
 * description. Each generator has seeds of its own: two of the lab's that both get a description right
 * would otherwise give the very same image, and one image would count twice.
 */
export const paintDescriptions = ({
  generators,
  seed,
  samples = 1,
}: {
  readonly generators: readonly ImageGenerator[];
  readonly seed: number;
  readonly samples?: number;
}): Step<"image">[] =>
  generators.map((generator) => {
    const model = modelName(generator.identity);
    const part = partNamed([model.replace(/@.*$/, "")]);
    return {
      name: "paint-images",
      part,
      version: 2,
      produces: "image",
      parameters: { generator: { ...generator.identity }, seed, samples },
      asks: [placedName(generator.identity)],
      async *plan(records) {
        for await (const description of records.ofType("description")) {
          if (description.status !== "done") continue;
          for (let sample = 0; sample < samples; sample++) {
            yield {
              prompt: description.key,
              role: "description",
              sample,
              text: description.text,
              seed: randomFrom(seed, "paint", part, description.key, sample).integer(2 ** 31),
              model,
            };
          }
        }
      },
      perform: (about, context) => paintPicture(generator, about, context),
    };
  });
