export type { ExportedRun, ExportedTable } from "../files/record-tables/exported-run.js";
export { checkSight, type SightOptions } from "../models/sight/check-sight.js";
export type { Sight } from "../models/sight/sight.js";
export type { ForgetReplies } from "./ask-anew.js";
export { Budget, type Expected, type Limits, type Put } from "./budget.js";
export type { Spent } from "./call-costs.js";
export { type ExportedStore, type ExportOptions, exportRun } from "./export-run.js";
export { type PlaceboItem, type PlaceboOptions, placebos } from "./placebos.js";
export {
  type ExplainedRun,
  type RecordLife,
  type RecordLookups,
  type Relative,
  recordLife,
  type ShownImage,
  type TraceEntry,
} from "./record-life.js";
export { type AtWork, type RunStatus, runStatus, type StepStatus } from "./run-status.js";
export { type RunOptions, runSteps } from "./run-steps.js";
export type { StepSummary } from "./step-summary.js";
export { type Verification, verifyRun } from "./verify-run.js";
