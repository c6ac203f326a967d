import { wordOf } from "../models/chat/said-text.js";
import { composePrompts } from "./compose-prompts.js";
import { plainWords } from "./plain-words.js";
import type { PoolFinding } from "./pool-finding.js";
import type { PromptPool } from "./prompt-pool-schema.js";
import { promptRules } from "./prompt-rules.js";

/** Faults in glyphs and orders, and in parts beside each other. */
export const partProblems = (pool: PromptPool): PoolFinding[] => [
  ...glyphProblems(pool),
  ...scaleProblems(pool),
  ...lengthProblems(pool),
  ...repeatedParts(pool),
  ...orderProblems(pool),
];

/** Answers that can be told apart by one word, named once in what is asked, and beside the images. */
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

/** All ratings of a pool are on one scale: 4 of 4 is not 4 of 5. */
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

/** The longest and the shortest prompt are within bounds, or the template is named. */
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

/** Parts of a group that say the same but for case and marks. */
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

/** Both orders hold both names, and one is the other turned round. */
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
