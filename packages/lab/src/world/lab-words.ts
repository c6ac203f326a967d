import { everyPlace, peopleExtras } from "./people.js";
import { peopleWords } from "./people-english.js";
import { colours, extraKinds, hypernyms, numerals, subjects } from "./vocabulary.js";

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z-]+|[^\sa-z-]/g) ?? [];

/** The closed-class words of the lab's sentences and questions. */
const frame = `
  a an the is are there this in on to of with and exactly left right foreground background small
  large does figure show please answer yes or no " ? . ,
`;

/** Every word and sign of the lab's English, sorted: what the lab's models can read. */
export function labWords(): string[] {
  const world = [
    ...subjects.keys(),
    ...[...extraKinds.values(), ...peopleExtras.values()].flatMap(({ kind, plural }) => [
      kind,
      plural,
    ]),
    ...hypernyms.values(),
    ...[...everyPlace.values()].map(({ phrase }) => phrase),
    ...peopleWords(),
    ...colours,
    ...numerals,
  ];
  return [...new Set([frame, ...world].flatMap(wordsOf))].sort();
}
