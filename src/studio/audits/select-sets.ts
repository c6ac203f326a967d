import { z } from "zod";
import { pagingSchema, parsedQuery } from "../item-query.js";
import { type AuditSetPage, type ShownSet, setSortings } from "./audit-api.js";

const short = z.string().max(500).optional();

const query = z.object({
  category: short,
  generator: short,
  /** A rubric item that is flagged before or after. */
  item: short,
  sort: z.enum(setSortings).default("plan"),
  ...pagingSchema.shape,
});

/** How many are answered at most at once. */
const mostSets = 200;

/**
 * The page of an audit's sets that a query asks for.
 *
 * @throws Refusal for a value that a query can't have.
 */
export function selectSets(
  all: readonly ShownSet[],
  parameters: Readonly<Record<string, string>>,
): AuditSetPage {
  const { category, generator, item, sort, cursor, limit } = parsedQuery(query, parameters);
  const found = all.filter(
    (set) =>
      (category === undefined || set.category === category) &&
      (generator === undefined || set.generator === generator) &&
      (item === undefined || isFlagged(set, item)),
  );
  const sorted = sort === "plan" ? found : sortedBy(found, orders[sort]);
  const end = cursor + Math.min(limit, mostSets);
  return {
    sets: sorted.slice(cursor, end),
    total: sorted.length,
    next: end < sorted.length ? String(end) : null,
  };
}

const isFlagged = ({ initial, refined }: ShownSet, item: string): boolean =>
  [initial, refined].some((phase) => phase?.flags.some((flag) => flag.item === item));

const before = ({ initial }: ShownSet) => initial.index;
const rise = ({ initial, refined }: ShownSet) =>
  initial.index === null || refined === null || refined.index === null
    ? null
    : refined.index - initial.index;

const orders = {
  before,
  rise,
  fall: (set: ShownSet) => {
    const by = rise(set);
    return by === null ? null : -by;
  },
};

/** Highest first, what has no number last; equal ones as they stood. */
const sortedBy = (sets: readonly ShownSet[], by: (set: ShownSet) => number | null): ShownSet[] =>
  [...sets].sort(
    (a, b) => (by(b) ?? Number.NEGATIVE_INFINITY) - (by(a) ?? Number.NEGATIVE_INFINITY) || 0,
  );
