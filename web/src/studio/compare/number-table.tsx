import type { ReactNode } from "react";
import { Scroll } from "../../shell/scroll.js";

/** A table of numbers: what a row is about, and a cell below each heading. */
export function NumberTable({
  label,
  corner,
  headings,
  rows,
}: {
  readonly label: string;
  /** Above the names of the rows. */
  readonly corner: string;
  readonly headings: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly ReactNode[] }[];
}) {
  return (
    <Scroll label={label}>
      <table className="number-table">
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {headings.map((heading) => (
              <th key={heading} scope="col" className="number">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={headings[at]} className="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
