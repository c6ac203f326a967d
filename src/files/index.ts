export type { DescribedStep, NewRun, Recipe, RecipeStep } from "../core/recipe.js";
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
} from "../tables/columns.js";
export { type TableFormat, tableFormats } from "../tables/format.js";
export type { OtherShape } from "../tables/header.js";
export { type FileContent, writeFileAtomically } from "./atomic.js";
export { type ImageFolder, imagesBelow, openImageFolder } from "./image-folder.js";
export { type JsonLine, readJsonLines } from "./jsonl.js";
export { Blobs } from "./run-folder/blobs.js";
export { readRecords, type StoredRecord } from "./run-folder/read-records.js";
export { RecordFolder } from "./run-folder/record-folder.js";
export { RecordIndex, type Standing } from "./run-folder/record-index.js";
export { RunFolder, type SealedFile } from "./run-folder/run-folder.js";
export { type Claim, type Worker, WorkFolder, Workplace } from "./run-folder/run-work.js";
export { RunWriter } from "./run-folder/run-writer.js";
export { type SealState, Seals } from "./run-folder/seals.js";
export type { Place } from "./run-folder/segment.js";
export { StepFiles, type StepSegment } from "./run-folder/step-files.js";
export { type SetAside, StepRecords } from "./run-folder/step-records.js";
export { TruthFolder } from "./run-folder/truth.js";
export { readTable, type TableRequest, type TableRow } from "./table.js";
export type { TableSource } from "./table-source.js";
