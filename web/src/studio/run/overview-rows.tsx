import type { OverviewColumn, OverviewTable } from "../../../../src/report/benchmarks/overview.js";
import { Scroll } from "../../shell/scroll.js";

/** A table of a run's overview; neighbouring columns of one group share a heading. */
export function OverviewRows({
  table: { title, columns, rows, note },
}: {
  readonly table: OverviewTable;
}) {
  const look = (at: number) => (columns[at]?.align === "right" ? "number" : "named");
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
            {rows.map(({ cells }) => (
              <tr key={cells.join()}>
                {cells.map((cell, at) =>
                  at === 0 ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                    <th key={at} scope="row" className={look(at)}>
                      {cell}
                    </th>
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                    <td key={at} className={look(at)}>
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

/** Runs of columns with the same group; "" where they have none. */
function groupsOf(columns: readonly OverviewColumn[]) {
  const groups: { name: string; from: number; span: number }[] = [];
  for (const [from, { group: name = "" }] of columns.entries()) {
    const last = groups.at(-1);
    if (last?.name === name) last.span += 1;
    else groups.push({ name, from, span: 1 });
  }
  return groups;
}
