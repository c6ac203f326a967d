import { Scroll } from "./scroll.js";

/** The first rows of a table, as texts. */
export const FirstRows = ({
  table: { name, columns, rows },
}: {
  readonly table: {
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}) => (
  <Scroll label={`First rows of ${name}`}>
    <table className="first-rows">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the first rows of a table never move
          <tr key={row}>
            {cells.map((cell, at) => (
              <td key={columns[at]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
