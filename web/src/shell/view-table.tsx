import { printedTable, type TextColumn, type TextTable } from "../../../src/views/printed.js";
import type { ViewTable } from "../../../src/views/view.js";
import { Scroll } from "./scroll.js";

/** A table of a conclusion, as the report and the terminal have it. */
export const ViewTableView = ({ table }: { readonly table: ViewTable }) => (
  <TextTableView table={printedTable(table)} />
);

/** A printed table; neighbouring columns of one group share a heading. */
export function TextTableView({
  table: { title, columns, rows, note },
}: {
  readonly table: Pick<TextTable, "title" | "columns" | "rows" | "note">;
}) {
  const look = (at: number) => (columns[at]?.align === "right" ? "number" : undefined);
  const groups = groupsOf(columns);
  return (
    <>
      <h3>{title}</h3>
      <Scroll label={title}>
        <table>
          <thead>
            {groups.some(({ name }) => name !== "") && (
              <tr>
                {groups.map(({ name, from, span }) =>
                  name === "" ? (
                    <td key={from} colSpan={span} />
                  ) : (
                    <th key={from} scope="colgroup" colSpan={span} className="group">
                      {name}
                    </th>
                  ),
                )}
              </tr>
            )}
            <tr>
              {columns.map((column, at) => (
                <th key={`${column.group} ${column.title}`} scope="col" className={look(at)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table that is shown never move
              <tr key={row}>
                {cells.map((cell, at) => {
                  const [Cell, scope] = at === 0 ? (["th", "row"] as const) : (["td"] as const);
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                    <Cell key={at} scope={scope} className={look(at)}>
                      {cell}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="quiet">{note}</p>
    </>
  );
}

/** Runs of columns with the same group; "" where they have none. */
function groupsOf(columns: readonly TextColumn[]) {
  const groups: { name: string; from: number; span: number }[] = [];
  for (const [from, { group: name = "" }] of columns.entries()) {
    const last = groups.at(-1);
    if (last?.name === name) last.span += 1;
    else groups.push({ name, from, span: 1 });
  }
  return groups;
}
