import { z } from "zod";
import { once } from "../core/cache.js";
import { packagedYaml } from "../files/yaml.js";
import { wordOf } from "../models/chat/said-text.js";
import { composePrompts } from "./compose-prompts.js";
import type { PoolPath, PromptPool, PromptPoolFile } from "./read-prompt-pool.js";

const phrases = z.array(z.string().min(1)).min(1);

const rulesSchema = z.strictObject({
  /** Lean towards an answer or a position. */
  leaning: phrases,
  /** Invert the question. */
  inverting: phrases,
  /** Ask for a form of answer. */
  asking: phrases,
  words: z.strictObject({ least: z.int().positive(), most: z.int().positive() }),
});

/** Reads data/prompts/lint.yaml, once. */
const promptRules = once(() => rulesSchema.parse(packagedYaml("prompts/lint.yaml")));

/** A fault in a pool and the path of the faulty member. */
export interface PoolFinding {
  readonly path: PoolPath;
  readonly message: string;
}

/** A fault by which prompts of a pool ask for different things, or an answer can't be read. */
export interface PromptProblem {
  readonly line: number;
  /** The member, such as `templates.short.task`. */
  readonly member: string;
  readonly message: string;
}

/**
 * Checks that all prompts of a pool ask for the same thing: the caption or question stands in each once,
 * in quotes; answers differ, and glyphs alone ask for them, once; no words lean towards an answer or
 * invert the question; lengths are within bounds; no part is there twice; the flipped order is the
 * reverse. A pool quoted from elsewhere (one with a `source`) is not checked.
 *
 * @returns problems in the order of lines.
 */
export function lintPromptPool({ pool, lineOf }: PromptPoolFile): PromptProblem[] {
  if (pool.source !== undefined) return [];
  return [...textProblems(pool), ...partProblems(pool)]
    .map(({ path, message }) => ({
      line: lineOf(path),
      member: path.map(String).join("."),
      message,
    }))
    .sort((one, other) => one.line - other.line);
}

/** Finds faults in the words of single parts. */
const textProblems = (pool: PromptPool): PoolFinding[] => [
  ...placeProblems(pool),
  ...unknownPlaces(pool),
  ...quotationProblems(pool),
  ...wordProblems(pool),
];

/** Name of the placeholder for what a prompt asks about. */
const aboutOf = ({ kind }: PromptPool): string => (kind === "yes-no" ? "question" : "caption");

/** Finds tasks without one quoted placeholder for the subject and one for the criterion. */
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
  /** Placeholders allowed in it. */
  readonly places: readonly string[];
}

/** Returns every text of a pool with the placeholders allowed in it. */
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

/** Finds double quotes around anything but the subject: they tell a model where the subject ends. */
const quotationProblems = (pool: PromptPool): PoolFinding[] =>
  textsOf(pool).flatMap(({ path, text }) =>
    /["\u201c\u201d]/.test(text.replaceAll(`"{${aboutOf(pool)}}"`, ""))
      ? [{ path, message: `Expected double quotes around {${aboutOf(pool)}} alone` }]
      : [],
  );

/** Finds words that lean towards an answer, invert the question, or ask for an answer outside glyphs. */
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

/** Finds faults in glyphs and orders, and parts that repeat others. */
const partProblems = (pool: PromptPool): PoolFinding[] => [
  ...glyphProblems(pool),
  ...scaleProblems(pool),
  ...lengthProblems(pool),
  ...repeatedParts(pool),
  ...orderProblems(pool),
];

/** Finds answers that are not one word each, differ in nothing, or are not asked for once. */
function glyphProblems(pool: PromptPool): PoolFinding[] {
  const tie = pool.kind === "pairwise" ? pool.tie : undefined;
  const places = pool.kind === "ordinal" ? ["answers", "lowest", "highest"] : ["answers"];
  const ofGlyphs = Object.entries<PromptPool["glyphs"][string]>(pool.glyphs).flatMap(
    ([name, glyph]) => {
      const path = (...members: string[]) => ["glyphs", name, ...members];
      const words = glyph.answers.map(wordOf);
      const labels = "labels" in glyph ? glyph.labels : [];
      return [
        ...places
          .filter((place) => glyph.ask.split(`{${place}}`).length !== 2)
          .map((place) => ({ path: path("ask"), message: `Expected {${place}} once` })),
        ...glyph.answers.flatMap((answer, at) => [
          ...(/^[\p{L}\p{N}]+$/u.test(answer)
            ? []
            : [{ path: path("answers"), message: `Expected one word but received "${answer}"` }]),
          ...(words.indexOf(words[at] ?? "") < at
            ? [
                {
                  path: path("answers"),
                  message: `Expected answers that differ but "${answer}" is there twice`,
                },
              ]
            : []),
        ]),
        ...labels.flatMap((label, at) =>
          wordOf(label) === words[at]
            ? []
            : [
                {
                  path: path("labels"),
                  message: `Expected a label with the word "${glyph.answers[at]}" but received "${label}"`,
                },
              ],
        ),
        ...(tie !== undefined && words.includes(wordOf(tie.answer))
          ? [
              {
                path: path("answers"),
                message: `Expected an answer other than the tie's, "${tie.answer}"`,
              },
            ]
          : []),
      ];
    },
  );
  if (tie === undefined || tie.ask.split("{tie}").length === 2) return ofGlyphs;
  return [...ofGlyphs, { path: ["tie", "ask"], message: "Expected {tie} once" }];
}

/** Finds rating scales of different lengths: 4 of 4 is not 4 of 5. */
function scaleProblems({ kind, glyphs }: PromptPool): PoolFinding[] {
  if (kind !== "ordinal") return [];
  const [first, ...others] = Object.entries(glyphs);
  return others.flatMap(([name, { answers }]) =>
    first === undefined || answers.length === first[1].answers.length
      ? []
      : [
          {
            path: ["glyphs", name, "answers"],
            message: `Expected ${first[1].answers.length} ratings, as ${first[0]} has, but received ${answers.length}`,
          },
        ],
  );
}

/** Finds templates with a prompt that is too short or too long. */
function lengthProblems(pool: PromptPool): PoolFinding[] {
  const { least, most } = promptRules().words;
  const ofTemplate = new Map<string, { readonly id: string; readonly words: number }>();
  for (const { id, parts, system, task, question } of composePrompts(pool)) {
    const words = plainWords(`${system} ${task} ${question}`).length - 1;
    const known = ofTemplate.get(parts.template);
    const isWithin = words >= least && words <= most;
    if (!isWithin && (known === undefined || words > known.words)) {
      ofTemplate.set(parts.template, { id, words });
    }
  }
  return [...ofTemplate].map(([template, { id, words }]) => ({
    path: ["templates", template, "task"],
    message: `Expected prompts of ${least} to ${most} words but ${id} has ${words}`,
  }));
}

/** Finds parts of a group that differ in case and punctuation alone. */
function repeatedParts(pool: PromptPool): PoolFinding[] {
  const groups = {
    personas: Object.entries(pool.personas),
    templates: Object.entries(pool.templates).map(
      ([name, { task, question }]) => [name, `${task} ${question}`] as const,
    ),
    criteria: Object.entries(pool.criteria),
    glyphs: Object.entries<PromptPool["glyphs"][string]>(pool.glyphs).map(
      ([name, { answers, ask }]) => [name, `${answers.join(" ")} ${ask}`] as const,
    ),
  };
  return Object.entries<readonly (readonly [string, string])[]>(groups).flatMap(
    ([group, parts]) => {
      const met = new Map<string, string>();
      return parts.flatMap(([name, text]): PoolFinding[] => {
        const plain = plainWords(text).join(" ");
        const before = met.get(plain);
        met.set(plain, before ?? name);
        if (before === undefined) return [];
        return [{ path: [group, name], message: `Expected other words than those of ${before}` }];
      });
    },
  );
}

/** Finds orders that name one twice, and a flipped order that equals the straight one. */
function orderProblems({ kind, orders }: PromptPool): PoolFinding[] {
  const given = Object.entries<readonly string[] | undefined>(orders);
  const within = given.flatMap(([name, order = []]): PoolFinding[] =>
    order[0] === order[1]
      ? [{ path: ["orders", name], message: `Expected two names but received ${order[0]} twice` }]
      : [],
  );
  const { straight, flipped } = orders;
  if (straight === undefined || flipped === undefined || straight[0] !== flipped[0]) return within;
  const what = kind === "pairwise" ? "shows the images" : "names the answers";
  return [
    ...within,
    {
      path: ["orders", "flipped"],
      message: `Expected an order that ${what} the other way round but it is the same`,
    },
  ];
}

/** Returns a text's words in lower case, without punctuation. */
const plainWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
