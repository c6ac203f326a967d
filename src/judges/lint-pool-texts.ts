import { plainWords } from "./plain-words.js";
import type { PoolFinding } from "./pool-finding.js";
import type { PromptPool } from "./prompt-pool-schema.js";
import { promptRules } from "./prompt-rules.js";
import type { PoolPath } from "./read-prompt-pool.js";

/** Faults in the words of parts, each by itself. */
export const textProblems = (pool: PromptPool): PoolFinding[] => [
  ...placeProblems(pool),
  ...unknownPlaces(pool),
  ...quotationProblems(pool),
  ...wordProblems(pool),
];

/** The subject of a prompt of this kind, as templates call it. */
const aboutOf = ({ kind }: PromptPool): string => (kind === "yes-no" ? "question" : "caption");

/** Each template's task has a place in quotes for what it is about, and one for the criterion. */
function placeProblems(pool: PromptPool): PoolFinding[] {
  const about = aboutOf(pool);
  return Object.entries(pool.templates).flatMap(([name, { task }]): PoolFinding[] => {
    const path = ["templates", name, "task"];
    const count = (place: string) => task.split(place).length - 1;
    const wrong = [
      ...(count(`{${about}}`) === 1 && count(`"{${about}}"`) === 1
        ? []
        : [`Expected "{${about}}" once and in double quotes but received ${timesOf(task, about)}`]),
      ...(count("{criterion}") === 1
        ? []
        : [`Expected {criterion} once but received it ${count("{criterion}")} times`]),
    ];
    return wrong.map((message) => ({ path, message }));
  });
}

const timesOf = (task: string, about: string): string => {
  const all = task.split(`{${about}}`).length - 1;
  const quoted = task.split(`"{${about}}"`).length - 1;
  return `it ${all} times, ${quoted} of them quoted`;
};

interface PoolText {
  readonly path: PoolPath;
  readonly text: string;
  /** Names that may stand in braces. */
  readonly places: readonly string[];
}

/** Every text of a pool, with the places that may stand in it. */
function textsOf(pool: PromptPool): PoolText[] {
  const named = (group: "personas" | "criteria") =>
    Object.entries(pool[group]).map(([name, text]) => ({
      path: [group, name],
      text,
      places: [],
    }));
  return [
    ...(pool.rules === undefined ? [] : [{ path: ["rules"], text: pool.rules, places: [] }]),
    ...named("personas"),
    ...named("criteria"),
    ...Object.entries(pool.templates).flatMap(([name, { task, question }]) => [
      { path: ["templates", name, "task"], text: task, places: [aboutOf(pool), "criterion"] },
      { path: ["templates", name, "question"], text: question, places: [] },
    ]),
    ...Object.entries<{ readonly ask: string }>(pool.glyphs).map(([name, { ask }]) => ({
      path: ["glyphs", name, "ask"],
      text: ask,
      places: pool.kind === "ordinal" ? ["answers", "lowest", "highest"] : ["answers"],
    })),
    ...(pool.kind === "pairwise" && pool.tie !== undefined
      ? [{ path: ["tie", "ask"], text: pool.tie.ask, places: ["tie"] }]
      : []),
  ];
}

const unknownPlaces = (pool: PromptPool): PoolFinding[] =>
  textsOf(pool).flatMap(({ path, text, places }) =>
    [...text.matchAll(/\{(\w+)\}/g)].flatMap(([place, name = ""]) =>
      places.includes(name)
        ? []
        : [{ path, message: `Expected no ${place} here; it would be said as it stands` }],
    ),
  );

/** Double quotes are for what is judged alone, so that a model knows where it begins and ends. */
const quotationProblems = (pool: PromptPool): PoolFinding[] =>
  textsOf(pool).flatMap(({ path, text }) =>
    /["\u201c\u201d]/.test(text.replaceAll(`"{${aboutOf(pool)}}"`, ""))
      ? [{ path, message: `Expected double quotes around {${aboutOf(pool)}} alone` }]
      : [],
  );

/** Words that lean, turn the question round, or ask for an answer where glyphs should. */
function wordProblems(pool: PromptPool): PoolFinding[] {
  const { leaning, inverting, asking } = promptRules();
  return textsOf(pool).flatMap(({ path, text }) => {
    const isGlyph = path[0] === "glyphs" || path[0] === "tie";
    const has = (phrases: readonly string[], why: string): PoolFinding[] =>
      phrases
        .filter((phrase) => holds(text, phrase))
        .map((phrase) => ({ path, message: `Expected no "${phrase}": ${why}` }));
    return [
      ...has(leaning, "it leans towards an answer"),
      ...has(inverting, "it turns the question round"),
      ...(isGlyph ? [] : has(asking, "glyphs alone say how to answer")),
    ];
  });
}

const holds = (text: string, phrase: string): boolean =>
  ` ${plainWords(text).join(" ")} `.includes(` ${plainWords(phrase).join(" ")} `);
