import { conclusionNamed, conclusions } from "../../../conclusions/conclusions.js";
import { type DialectName, dialects } from "../../../conclusions/sums/dialects.js";
import { sampleQuery } from "../../../conclusions/sums/sample-query.js";
import { sumsQuery } from "../../../conclusions/sums/sums-query.js";
import { InputError } from "../../../core/errors.js";
import { nearest } from "../../../core/nearest.js";
import { listText } from "../../../core/phrases.js";

/** A query of a warehouse's own rows, from whose answer a verb concludes. */
export interface PrintedQuery {
  readonly sql: string;
  /** What its answer is, where that is no sums, or of which rows they are to be. */
  readonly note?: string | undefined;
}

/**
 * The query that sums rows for a conclusion, or, where that needs all rows, draws whole clusters of them.
 *
 * @throws InputError for a conclusion that has neither.
 */
export async function printedQuery(
  name: string,
  {
    dialect,
    from,
    share,
  }: { readonly dialect: DialectName; readonly from: string; readonly share: number },
): Promise<PrintedQuery> {
  const known = conclusions.map((one) => one.name);
  const loaded = known.includes(name) ? (await conclusionNamed(name).load()).default : undefined;
  if (loaded?.sums !== undefined) {
    const sums = await loaded.sums();
    const note = from.trim().startsWith("(") ? undefined : sums.note;
    return { sql: sumsQuery(sums, from, dialects[dialect]), note };
  }
  const by = loaded?.sampledBy;
  if (by !== undefined) {
    return {
      sql: sampleQuery({ by, share }, from, dialects[dialect]),
      note:
        `${name} needs all rows. This query draws about ${100 * share} % of the clusters (${by}), whole ones: ` +
        "its figures are estimates of those of all rows, with intervals that hold. " +
        `Rows that name no ${by} are not drawn: the figures are of the others.`,
    };
  }
  const able = await Promise.all(
    conclusions.map(async (one) => {
      const { sums, sampledBy } = (await one.load()).default;
      return (sums ?? sampledBy) ? [one.name] : [];
    }),
  );
  const names = able.flat();
  const meant = nearest(name, names);
  throw new InputError(`Expected one of ${listText(names)} for --print but received "${name}"`, {
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  });
}
