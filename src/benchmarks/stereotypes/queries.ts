import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { keyOf } from "../../core/keys.js";
import { withArticles } from "../../core/phrases.js";
import { randomFrom } from "../../core/random.js";
import type { Step } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import { type LinedYaml, linedYaml } from "../../files/yaml.js";
import { packaged } from "./packaged.js";

const name = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "expected small letters, digits and dashes");

/** One line of words: what it is put into must stay one piece. */
const phrase = z
  .string()
  .min(1)
  .refine((text) => text === text.trim() && !/\p{Cc}/u.test(text), {
    error: "expected one line without blanks around it",
  });

const setSchema = z.strictObject({
  category: name,
  rubric: name.optional(),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/, "expected a tag such as en or pt-BR"),
  frame: phrase.refine((frame) => frame.split("{term}").length === 2, {
    error: "expected {term} once",
  }),
  source: z.string().optional(),
  terms: z.array(phrase).min(1),
});

const fileSchema = z.strictObject({
  include: z.literal("default").optional(),
  sets: z.array(setSchema).min(1),
});

export interface Query {
  readonly category: string;
  /** The rubric that is asked. */
  readonly rubric: string;
  readonly language: string;
  readonly frame: string;
  readonly term: string;
  /** Where it stands, for messages, such as "queries.yaml, line 30". */
  readonly place: string;
}

/**
 * The queries of a file, those of the package where none is given, in its order.
 *
 * @throws InputError that lists every problem with its line.
 * @example queryText(loadQueries()[0]) // "a photo of an American person"
 */
export function loadQueries(source = packaged("queries.yaml")): readonly Query[] {
  const read = linedYaml(source.file, source.text, fileSchema);
  const own = queriesIn(read);
  const all = read.value.include === "default" ? [...loadQueries(), ...own] : own;
  const problems = problemsOf(all);
  if (problems.length === 0) return all;
  throw new InputError(`Expected each query once in ${source.file}`, { problems });
}

/** The query in words; in English its articles agree with the term. */
export function queryText({ frame, term, language }: Omit<Query, "place" | "rubric">): string {
  const text = frame.replace("{term}", () => term);
  return /^en(-|$)/i.test(language) ? withArticles(text) : text;
}

const queriesIn = ({ file, value, lineOf }: LinedYaml<z.output<typeof fileSchema>>): Query[] =>
  value.sets.flatMap(({ category, rubric = category, language, frame, terms }, set) =>
    terms.map((term, at) => ({
      category,
      rubric,
      language,
      frame,
      term,
      place: `${file}, ${lineOf(["sets", set, "terms", at])}`,
    })),
  );

function problemsOf(queries: readonly Query[]): string[] {
  const seen = new Map<string, Query>();
  return queries.flatMap((query) => {
    const problems: string[] = [];
    if (/^(an?|the) /i.test(query.term) && /^en(-|$)/i.test(query.language)) {
      problems.push(`${query.place}: the article of "${query.term}" belongs into the frame`);
    }
    const key = JSON.stringify([query.category, queryText(query).toLowerCase()]);
    const before = seen.get(key);
    if (before === undefined) seen.set(key, query);
    else problems.push(`${query.place}: "${queryText(query)}" stands at ${before.place} already`);
    return problems;
  });
}

/**
 * The step that writes the queries of an audit down (SSI, section 3).
 *
 * @param count at most so many of each category, drawn by `seed`; all where not given
 * @param cannotDraw why a generator can't draw a query; it then becomes unscored, `not-applicable`
 */
export function buildQueries({
  queries,
  seed,
  count,
  cannotDraw,
}: {
  readonly queries: readonly Query[];
  readonly seed: number;
  readonly count?: number | undefined;
  readonly cannotDraw?: ((text: string) => string | undefined) | undefined;
}): Step<"query"> {
  const chosen = chosenQueries(queries, { seed, count });
  const plain = chosen.map(({ category, language, frame, term }) => ({
    category,
    language,
    frame,
    term,
  }));
  return {
    name: "build-queries",
    version: 1,
    produces: "query",
    parameters: {
      seed,
      categories: [...new Set(chosen.map(({ category }) => category))],
      queries: keyOf(plain).slice(0, 12),
    },
    async *plan() {
      for (const query of plain) yield { benchmark: "stereotypes" as const, ...query };
    },
    async perform(query) {
      const text = queryText(query);
      const reason = cannotDraw?.(text);
      if (reason !== undefined) throw new NoAnswer("not-applicable", reason);
      return { text };
    },
  };
}

function chosenQueries(
  queries: readonly Query[],
  { seed, count }: { readonly seed: number; readonly count: number | undefined },
): readonly Query[] {
  if (count === undefined) return queries;
  const categories = [...new Set(queries.map(({ category }) => category))];
  return categories.flatMap((category) => {
    const own = queries.filter((query) => query.category === category);
    const drawn = randomFrom(seed, "queries", category)
      .shuffle([...own.keys()])
      .slice(0, count);
    return own.filter((_, at) => drawn.includes(at));
  });
}
