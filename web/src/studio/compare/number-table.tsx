import { Fragment, type ReactNode } from "react";
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
              <th scope="row">{breakable(name)}</th>
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

/** A name that a narrow column breaks at its "+", as in f1:blurring+cropping:paper, and not within a word. */
const breakable = (name: string) =>
  name.split(/(?<=\+)(?=\w)|(?<=:)(?=\w+\+)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
