export { tableOf } from "./bytes.js";
export { csvLine } from "./cell-table.js";
export {
  answer,
  type ColumnKind,
  numeric,
  oneOf,
  optionalText,
  probability,
  score as scoreColumn,
  text,
} from "./columns.js";
export { type TableRow, tableRows } from "./table-rows.js";
