export { tableOf } from "./bytes.js";
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
export { csvLine } from "./csv-text.js";
export { type TableRow, tableRows } from "./table-rows.js";
