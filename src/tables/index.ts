export { type TableBytes, tableOf } from "./bytes.js";
export {
  answer,
  type Cell,
  type ColumnKind,
  type ColumnKinds,
  type NumberKind,
  numeric,
  oneOf,
  optionalAnswer,
  optionalOneOf,
  optionalText,
  probability,
  type RowOf,
  score,
  type TextKind,
  text,
} from "./columns.js";
export { csvLine } from "./csv-text.js";
export { type TableFormat, tableFormats } from "./format.js";
export type { OtherShape } from "./header.js";
export { listColumn } from "./list-column.js";
export type { RowFilter } from "./row-filters.js";
export type { WrittenNames } from "./table-request.js";
export { type RowsRequest, type TableRow, tableRows } from "./table-rows.js";
