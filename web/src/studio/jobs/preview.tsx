import type { TablePreview } from "../../../../src/studio/jobs/job-api.js";
import { Scroll } from "../../shell/scroll.js";

/** The first rows of a table. */
export const Preview = ({
  name,
  preview: { columns, rows },
}: {
  readonly name: string;
  readonly preview: TablePreview;
}) => (
  <Scroll label={`The first rows of ${name}`}>
    <table>
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
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file never change their order
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={columns[column]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
