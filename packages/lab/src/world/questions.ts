import type { Random } from "touchstone-t2i/internal/core/random.js";
import { describe, itemPhrase, nounFor, placePhrase, subjectPhrase } from "./english.js";
import { askAboutPeople, askForExtra, peopleQuestionTypes } from "./people-questions.js";
import type { DescribedExtra, Description, Extra, Scene } from "./scene.js";
import { falsify, knobChanges, placesLike, tell } from "./statements.js";
import { holds } from "./truth.js";
import { extraKinds, hypernyms, numerals, places, subjects } from "./vocabulary.js";

export const questionTypes = [
  "presence",
  "hypernym",
  "place",
  "colour",
  "count",
  "side",
  "depth",
  "size",
  "statement",
] as const;

/** Types of questions about any scene, and about people and clothes. */
export const everyQuestionType = [...questionTypes, ...peopleQuestionTypes] as const;

export type QuestionType = (typeof everyQuestionType)[number];

export interface Question {
  readonly type: QuestionType;
  readonly text: string;
  readonly answer: boolean;
}

/** The question of VQAScore (Lin et al. 2024), around a sentence. */
export const statementQuestion = (sentence: string): string =>
  `Does this figure show "${sentence}"? Please answer yes or no.`;

const statementTelling = { hypernym: 0.5, place: 0.85, extra: 0.9, attribute: 0.65 };

/**
 * A question of one type about a scene, true as often as false.
 *
 * @returns undefined where the scene offers nothing to ask (no extra with a side, say).
 */
export function sampleQuestion(
  type: QuestionType,
  scene: Scene,
  random: Random,
): Question | undefined {
  const answer = random.chance(0.5);
  if (isOfAnyScene(type)) {
    const peopled = scene.person !== undefined || scene.display !== undefined;
    return (peopled ? { ...samplers, ...peopledSamplers } : samplers)[type](scene, random, answer);
  }
  const asked = askAboutPeople(type, scene, random, answer);
  return asked && { type, ...asked };
}

const isOfAnyScene = (type: QuestionType): type is (typeof questionTypes)[number] =>
  (questionTypes as readonly string[]).includes(type);

type Sampler = (scene: Scene, random: Random, answer: boolean) => Question | undefined;

const samplers: Readonly<Record<(typeof questionTypes)[number], Sampler>> = {
  presence: (scene, random, answer) => {
    const present = [scene.subject, ...scene.extras.map((extra) => extra.kind)];
    const absent = [...subjects.keys(), ...extraKinds.keys()].filter(
      (kind) => !present.includes(kind),
    );
    const kind = random.pick(answer ? present : absent);
    return { type: "presence", text: `Is there ${subjectPhrase({ kind })}?`, answer };
  },
  hypernym: (scene, random, answer) => {
    const actual = subjects.get(scene.subject)?.hypernym ?? "";
    const hypernym = answer
      ? actual
      : random.pick([...hypernyms.keys()].filter((other) => other !== actual));
    return { type: "hypernym", text: `Is there ${subjectPhrase({ hypernym })}?`, answer };
  },
  place: (scene, random, answer) => {
    const others = [...places.keys()].filter((place) => place !== scene.place);
    const place = answer ? scene.place : random.pick(others);
    return { type: "place", text: `Is this ${placePhrase(place)}?`, answer };
  },
  colour: aboutExtra("colour", ({ kind, count, colour }) => {
    const noun = nounFor(kind, count ?? 1);
    return count === 1 ? `Is the ${noun} ${colour}?` : `Are the ${noun} ${colour}?`;
  }),
  count: aboutExtra("count", ({ kind, count }) =>
    count === 1
      ? `Is there exactly one ${kind}?`
      : `Are there exactly ${numerals[count ?? 0]} ${nounFor(kind, count ?? 0)}?`,
  ),
  side: aboutExtra("side", ({ kind, count, side }, scene) => {
    const extra = count === 1 ? `the ${kind}` : `the ${nounFor(kind, count ?? 2)}`;
    return `Is the ${scene.subject} to the ${side === "left" ? "right" : "left"} of ${extra}?`;
  }),
  depth: aboutExtra("depth", ({ kind, count, depth }) =>
    count === 1
      ? `Is there ${itemPhrase({ kind })} in the ${depth}?`
      : `Are there ${nounFor(kind, 2)} in the ${depth}?`,
  ),
  size: aboutExtra("size", ({ kind, count, size }) =>
    count === 1 ? `Is the ${kind} ${size}?` : `Are the ${nounFor(kind, 2)} ${size}?`,
  ),
  statement: (scene, random, answer) => {
    const said = tell(scene, statementTelling, random);
    const description = answer ? said : falsify(said, scene, random);
    return description && statementAbout(description, scene);
  },
};

/** Samplers of questions that differ where there are people or clothes. */
const peopledSamplers: Partial<typeof samplers> = {
  presence: (scene, random, answer) => {
    const asked = askForExtra(scene, random, answer);
    return asked && { type: "presence", ...asked };
  },
  hypernym: (scene, random, answer) => {
    const isPerson = scene.person !== undefined;
    if (answer === isPerson) return { type: "hypernym", text: "Is there a person?", answer };
    const hypernym = random.pick([...hypernyms.keys()]);
    return { type: "hypernym", text: `Is there ${subjectPhrase({ hypernym })}?`, answer: false };
  },
  place: (scene, random, answer) => {
    const others = [...placesLike(scene).keys()].filter((place) => place !== scene.place);
    const place = answer ? scene.place : random.pick(others);
    return { type: "place", text: `Is this ${placePhrase(place)}?`, answer };
  },
};

/** Asks about one attribute of one extra, with its own value or a false one. */
function aboutExtra(
  member: "colour" | "count" | "side" | "depth" | "size",
  ask: (extra: DescribedExtra, scene: Scene) => string,
): Sampler {
  return (scene, random, answer) => {
    const candidates = scene.extras.filter((extra) => extra[member] !== undefined);
    if (candidates.length === 0) return undefined;
    const extra: Extra = random.pick(candidates);
    const only: DescribedExtra = { kind: extra.kind, [member]: extra[member] };
    const [change] = answer ? [{}] : knobChanges(only, random);
    const count = member === "count" ? {} : { count: extra.count };
    return { type: member, text: ask({ ...only, ...count, ...change }, scene), answer };
  };
}

const statementAbout = (description: Description, scene: Scene): Question => ({
  type: "statement",
  text: statementQuestion(describe(description)),
  answer: holds(description, scene),
});
