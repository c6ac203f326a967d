import { createHash } from "node:crypto";
import { paintedTruth } from "../../packages/lab/src/painter/painter.js";
import { hasAttribute } from "../../packages/lab/src/truth/attribute-truth.js";
import { parseSentence } from "../../packages/lab/src/world/english.js";
import { holds } from "../../packages/lab/src/world/truth.js";
import { type Hash, hashOf } from "../../src/core/keys.js";
import type {
  DualEncoder,
  ImageGenerator,
  Localizer,
  Picture,
  VisualQuestionAnswering,
} from "../../src/core/models.js";
import { randomFrom } from "../../src/core/random.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { maskOfRuns } from "../../src/images/mask-runs.js";

/** What tells a picture from others, without encoding one that was made from another. */
async function nameOf(picture: Picture): Promise<string> {
  if (picture.origin === undefined) return picture.hash;
  const { data } = await picture.pixels();
  return createHash("sha256").update(data).digest("hex");
}

type Painted = ReturnType<typeof paintedTruth.parse>;

/**
 * Models that know what the painter painted, with errors at rates of their own: stand-ins for trained
 * ones where a benchmark is tried. Only tests may know that much.
 */
export class TruthfulModels {
  private readonly truths = new Map<Hash, Painted>();

  /** The same generator, whose pictures are remembered. */
  remembering(generator: ImageGenerator): ImageGenerator {
    return {
      identity: generator.identity,
      generate: async (request, options) => {
        const made = await generator.generate(request, options);
        this.truths.set(hashOf(made.bytes), paintedTruth.parse(made.truth));
        return made;
      },
    };
  }

  private truthOf(picture: Picture): Painted {
    const truth = this.truths.get((picture.origin ?? picture).hash);
    if (truth === undefined) throw new NoAnswer("not-applicable", "Nobody painted this");
    return truth;
  }

  /**
   * Answers wrongly at the rate `error`, and on a whole picture, at the rate `confusion`, whether
   * anything at all has the attribute.
   */
  answerer(
    model: string,
    { error, confusion }: { readonly error: number; readonly confusion: number },
  ): VisualQuestionAnswering {
    return {
      identity: { provider: "test", model, revision: "1" },
      templates: {
        "vqa-score": "{text}",
        "localized-vqa-score": "Is the {entity} {attribute}?",
        "blip-vqa": "Is the {entity} {attribute}?",
      },
      probabilityOfYes: async (picture, questions) => {
        const { scene } = this.truthOf(picture);
        const shown = await nameOf(picture);
        return questions.map((question) => {
          const random = randomFrom(model, shown, question);
          const asked = /^Is the (.+) (\S+)\?$/.exec(question);
          const [, entity = "", attribute = ""] = asked ?? [];
          const isConfused = picture.origin === undefined && random.chance(confusion);
          const things = [
            ...(scene.person?.garments ?? []),
            ...(scene.display ?? []),
            ...scene.extras,
          ];
          const isTrue =
            asked === null
              ? isConfused || holds(parseSentence(question), scene)
              : isConfused
                ? things.some(({ kind }) => hasAttribute(scene, { entity: kind, attribute }))
                : hasAttribute(scene, { entity, attribute });
          const saysYes = random.chance(error) ? !isTrue : isTrue;
          return saysYes ? random.between(0.55, 0.99) : random.between(0.01, 0.45);
        });
      },
    };
  }

  /** Finds what is in the picture, but at the rate `missing`. */
  localizer(model: string, { missing }: { readonly missing: number }): Localizer {
    return {
      identity: { provider: "test", model, revision: "1" },
      localize: async (picture, entity) => {
        const object = this.truthOf(picture).objects.find(({ kind }) => kind === entity);
        const isMissed = randomFrom(model, picture.hash, entity).chance(missing);
        return object === undefined || isMissed ? undefined : maskOfRuns(object.mask, picture);
      },
    };
  }

  /** A bag of words: which things and attributes there are, and nothing of which has which. */
  encoder(model: string): DualEncoder {
    const bag = (words: readonly string[], noise: string) => {
      const vector = new Float32Array(64);
      for (const word of new Set(words)) vector[randomFrom("dimension", word).integer(64)] = 1;
      const random = randomFrom(model, noise);
      return vector.map((value) => value + random.between(0, 0.2));
    };
    return {
      identity: { provider: "test", model, revision: "1" },
      embedText: async (text) => bag(text.toLowerCase().match(/[a-z-]+/g) ?? [], text),
      embedImage: async (picture) => {
        const { scene } = this.truthOf(picture);
        const garments = [...(scene.person?.garments ?? []), ...(scene.display ?? [])];
        const words = garments.flatMap(({ kind, colour, pattern }) => [kind, colour, pattern]);
        const things = scene.extras.flatMap(({ kind, colour = "" }) => [kind, colour]);
        return bag([...words, ...things], picture.hash);
      },
    };
  }
}
