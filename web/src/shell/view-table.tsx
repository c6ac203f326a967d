import { printedTable } from "../../../src/views/printed.js";
import type { ViewTable } from "../../../src/views/view.js";
import { Scroll } from "./scroll.js";

/** A table of a conclusion, as the report and the terminal have it. */
export function ViewTableView({ table }: { readonly table: ViewTable }) {
  const { title, columns, rows, note } = printedTable(table);
  const look = (at: number) => (columns[at]?.align === "right" ? "number" : undefined);
  return (
    <>
      <h3>{title}</h3>
      <Scroll label={title}>
        <table>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={column.title} scope="col" className={look(at)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table that is shown never move
              <tr key={row}>
                {cells.map((cell, at) =>
                  at === 0 ? (
                    <th key={columns[at]?.title} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={columns[at]?.title} className={look(at)}>
                      {cell}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="quiet">{note}</p>
    </>
  );
}
