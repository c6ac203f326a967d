import { auditedPairs, type CompletePair } from "./audited-rows.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** An index before and after. */
export interface IndexChange {
  readonly initial: number;
  readonly refined: number;
  /** Initial minus refined. */
  readonly difference: number;
}

/** One query's index before and after; a model's is the mean over its sets, the query's over all. */
export interface AuditedQuery {
  readonly query: string;
  readonly category: string;
  /** Complete pairs of image sets, and those without any answer before or after. */
  readonly pairs: number;
  readonly dropped: number;
  /** Null without a complete pair. */
  readonly initial: number | null;
  readonly refined: number | null;
  /** Initial minus refined. */
  readonly difference: number | null;
  /** Results of each model with a complete pair. */
  readonly models: readonly {
    readonly model: string;
    readonly initial: number;
    readonly refined: number;
  }[];
  /** Items flagged most often before, most often first; at most three. */
  readonly flagged: readonly string[];
}

export interface AuditedQueries {
  /** Highest index before first; then highest after, then by name. Those without a pair come last. */
  readonly queries: readonly AuditedQuery[];
  /** Queries whose index rose, the largest rise first. */
  readonly worse: readonly (AuditedQuery & IndexChange)[];
  /** Pairs of image sets whose index rose, of how many. */
  readonly worsePairs: number;
  readonly pairs: number;
}

/** Every query by itself, the most stereotyped first, and those that refined prompts made worse. */
export function auditQueries(rows: readonly StereotypeRow[]): AuditedQueries {
  const { complete, dropped } = auditedPairs(rows);
  const idOf = ({ category, query }: Pick<StereotypeRow, "category" | "query">) =>
    JSON.stringify([category, query]);
  const pairsOf = new Map<string, CompletePair[]>();
  for (const pair of complete) pairsOf.set(idOf(pair), [...(pairsOf.get(idOf(pair)) ?? []), pair]);
  const droppedOf = new Map<string, number>();
  for (const pair of dropped) droppedOf.set(idOf(pair), (droppedOf.get(idOf(pair)) ?? 0) + 1);
  const about = new Map(rows.map((row) => [idOf(row), row]));
  const queries = [...about].map(([id, { query, category }]): AuditedQuery => {
    const pairs = pairsOf.get(id) ?? [];
    const change = changeOf(pairs);
    return {
      query,
      category,
      pairs: pairs.length,
      dropped: droppedOf.get(id) ?? 0,
      ...(change ?? { initial: null, refined: null, difference: null }),
      models: [...new Set(pairs.map(({ model }) => model))].flatMap((model) => {
        const own = changeOf(pairs.filter((pair) => pair.model === model));
        return own === null ? [] : [{ model, initial: own.initial, refined: own.refined }];
      }),
      flagged: mostFlagged(pairs),
    };
  });
  const none = Number.NEGATIVE_INFINITY;
  queries.sort(
    (a, b) =>
      compared(b.initial ?? none, a.initial ?? none) ||
      compared(b.refined ?? none, a.refined ?? none) ||
      (a.query < b.query ? -1 : 1),
  );
  const rose = ({ initial, refined }: CompletePair) => refined - initial > 1e-12;
  return {
    queries,
    worse: queries
      .filter(isChange)
      .filter(({ difference }) => difference < -1e-12)
      .sort((a, b) => a.difference - b.difference),
    worsePairs: complete.filter(rose).length,
    pairs: complete.length,
  };
}

const compared = (a: number, b: number) => (a === b ? 0 : a - b);

const isChange = (query: AuditedQuery): query is AuditedQuery & IndexChange =>
  query.difference !== null;

/** The means of the pairs; null where there is none. */
function changeOf(pairs: readonly CompletePair[]): IndexChange | null {
  if (pairs.length === 0) return null;
  const mean = (phase: StereotypeRow["phase"]) =>
    pairs.reduce((sum, pair) => sum + pair[phase], 0) / pairs.length;
  const [initial, refined] = [mean("initial"), mean("refined")];
  return { initial, refined, difference: initial - refined };
}

function mostFlagged(pairs: readonly CompletePair[]): string[] {
  const flags = new Map<string, number>();
  for (const { answers } of pairs) {
    for (const [item, present] of answers.initial) {
      if (present === 1) flags.set(item, (flags.get(item) ?? 0) + 1);
    }
  }
  return [...flags]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, 3)
    .map(([item]) => item);
}
