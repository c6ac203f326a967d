export type { DescribedStep, NewRun, Recipe, RecipeStep } from "../core/recipe.js";
export type {
  BlobStore,
  DocumentStore,
  EndingCount,
  FollowedRecord,
  KeyState,
  RecordFollower,
  RecordPosition,
  RecordStore,
  RunWriter,
  StepState,
  StepWriter,
  StoreCheck,
  StoredEntry,
  TruthStore,
  Worker,
} from "../core/record-store.js";
export type { TableBytes } from "../tables/bytes.js";
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
} from "../tables/columns.js";
export { type TableFormat, tableFormats } from "../tables/format.js";
export type { OtherShape } from "../tables/header.js";
export type { RowsRequest, TableRow } from "../tables/table-rows.js";
export { type FileContent, writeFileAtomically } from "./atomic.js";
export type { TextRequest } from "./folder-texts/folder-texts.js";
export { type ImageFolder, imagesBelow, openImageFolder } from "./image-folder.js";
export { type JsonLine, type JsonLinesOptions, readJsonLines } from "./json-lines.js";
export { matchingFiles } from "./matching-files.js";
export {
  type FoundStore,
  hasStore,
  type OpenOptions,
  openDocuments,
  openStore,
  storesIn,
} from "./open-store.js";
export { readTable, type TableRequest } from "./read-table.js";
export type { TableSource } from "./table-source.js";
