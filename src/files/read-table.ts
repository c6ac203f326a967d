import type { ColumnKinds } from "../tables/columns.js";
import { type RowsRequest, type TableRow, tableRows } from "../tables/table-rows.js";
import { type TableSource, tableBytes } from "./table-source.js";

/** Request for the rows of a file or a stream, see `RowsRequest`. */
export interface TableRequest<Kinds extends ColumnKinds>
  extends Omit<RowsRequest<Kinds>, "source"> {
  /** One, or several that are read as one table; `matchingFiles` finds those of a pattern. */
  readonly source: TableSource | readonly TableSource[];
}

/**
 * Streams the rows of tables in files or from streams, as `tableRows` does.
 *
 * @throws InputError where there is no such file or nothing says what it holds; else as `tableRows`.
 * @example
 * for await (const { row } of readTable({ source, columns: { id: text, correct: score } })) …
 */
export async function* readTable<const Kinds extends ColumnKinds>({
  source,
  ...request
}: TableRequest<Kinds>): AsyncGenerator<TableRow<Kinds>> {
  const isFormatKnown = request.format !== undefined;
  const sources = "name" in source ? [source] : source;
  yield* tableRows({
    ...request,
    source: await Promise.all(sources.map((each) => tableBytes(each, isFormatKnown))),
  });
}
