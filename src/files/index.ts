export { type FileContent, writeFileAtomically } from "./atomic.js";
export { Blobs } from "./blobs.js";
export { type ImageFolder, imagesBelow, openImageFolder } from "./image-folder.js";
export { type JsonLine, readJsonLines } from "./jsonl.js";
export { readRecords, type StoredRecord } from "./read-records.js";
export type { DescribedStep, NewRun, Recipe, RecipeStep } from "../core/recipe.js";
export { RecordFolder } from "./record-folder.js";
export { RecordIndex, type Standing } from "./record-index.js";
export { RunFolder, type SealedFile } from "./run-folder.js";
export { type Claim, type Worker, WorkFolder, Workplace } from "./run-work.js";
export { RunWriter } from "./run-writer.js";
export { type SealState, Seals } from "./seals.js";
export type { Place } from "./segment.js";
export { StepFiles, type StepSegment } from "./step-files.js";
export { type SetAside, StepRecords } from "./step-records.js";
export { readTable, type TableRequest, type TableRow } from "./table.js";
export {
  answer,
  type Cell,
  type ColumnKind,
  type ColumnKinds,
  numeric,
  oneOf,
  optionalAnswer,
  optionalOneOf,
  optionalText,
  probability,
  type RowOf,
  score,
  text,
} from "./table-columns.js";
export { type TableFormat, tableFormats } from "./table-format.js";
export type { OtherShape } from "./table-header.js";
export type { TableSource } from "./table-source.js";
export { TruthFolder } from "./truth.js";
