import { keyOf } from "../../core/keys.js";
import { randomFrom } from "../../core/random.js";
import type { Step } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import { type Query, queryText } from "./queries.js";

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
