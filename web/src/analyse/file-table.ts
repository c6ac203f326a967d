import type { TableBytes } from "../../../src/tables/bytes.js";
import { formatByEnding } from "../../../src/tables/format.js";

/** A file that a person chose, dropped or pasted, as a table to be read: never all of it at once. */
export const fileTable = (file: File): TableBytes => ({
  name: file.name,
  format: formatByEnding(file.name),
  async *open() {
    const reader = file.stream().getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  },
  parts: async () => ({
    byteLength: file.size,
    slice: (start, end) => file.slice(start, end).arrayBuffer(),
  }),
});
