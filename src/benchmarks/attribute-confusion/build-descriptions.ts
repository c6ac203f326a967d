import type { DescribedEntity } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { About } from "../../core/records.js";
import type { Step } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
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
