import { paintedTruth } from "../../packages/lab/src/painter/painter.js";
import { garmentKinds } from "../../packages/lab/src/world/people.js";
import type { Scene } from "../../packages/lab/src/world/scene.js";
import {
  attributesOf,
  garmentHolds,
  professionsOf,
  visibleHair,
} from "../../packages/lab/src/world/truth.js";
import { type Hash, hashOf } from "../../src/core/keys.js";
import type { ImageGenerator, VisualQuestionAnswering } from "../../src/core/models.js";
import { randomFrom } from "../../src/core/random.js";

/**
 * An answerer of questions about people that knows what was painted and errs at the rate `error`: a
 * stand-in for a trained one. It reads questions its own way, so a question that nobody learned is a
 * failure, not an answer.
 */
export class SeeingPeople {
  private readonly scenes = new Map<Hash, Scene>();

  /** The same generator, whose pictures are remembered. */
  remembering(generator: ImageGenerator): ImageGenerator {
    return {
      identity: generator.identity,
      generate: async (request, options) => {
        const made = await generator.generate(request, options);
        this.scenes.set(hashOf(made.bytes), paintedTruth.parse(made.truth).scene);
        return made;
      },
    };
  }

  answerer({ error }: { readonly error: number }): VisualQuestionAnswering {
    return {
      identity: { provider: "test", model: `seeing-people-${error}` },
      probabilityOfYes: async (picture, questions) => {
        const scene = this.scenes.get(picture.hash);
        if (scene === undefined) throw new Error("Nobody painted this");
        return questions.map((question) => {
          const errs = randomFrom("seeing people", picture.hash, question).chance(error);
          return isTrue(question, scene) !== errs ? 0.9 : 0.1;
        });
      },
    };
  }
}

function isTrue(question: string, { person, place, extras }: Scene): boolean {
  if (person === undefined) return false;
  const [, where] = /^Is this (?:in|on) a (.+)\?$/.exec(question) ?? [];
  if (where !== undefined) return where === place;
  const [, phrase] = /^Does this figure show "(?:an? )?(.+)"\? Please/.exec(question) ?? [];
  if (phrase !== undefined) {
    return person.garments.some((worn) => {
      const { kind, colour, pattern } = worn;
      const said = phrase.split(" ");
      const rest = said.slice(0, -1).every((word) => word === colour || word === pattern);
      return said.at(-1) === kind && rest && garmentHolds({ kind }, worn);
    });
  }
  const [, thing] = /^(?:Is|Are) there (?:an? )?(.+)\?$/.exec(question) ?? [];
  if (thing !== undefined) {
    return (
      person.signs.includes(thing) ||
      extras.some(({ kind }) => kind === thing) ||
      (garmentKinds.has(thing) && person.garments.some(({ kind }) => kind === thing))
    );
  }
  const [, quality] = /^Is the person (?:an? )?(.+)\?$/.exec(question) ?? [];
  if (quality === undefined)
    throw new Error(`Expected a learned question but received ${question}`);
  return [
    person.gender === "woman" ? "woman or a girl" : "man or a boy",
    person.age,
    `${person.skin}-skinned`,
    visibleHair(person) === "bald" ? "bald" : `${visibleHair(person)}-haired`,
    ...attributesOf(person),
    ...professionsOf(person),
  ].includes(quality);
}
