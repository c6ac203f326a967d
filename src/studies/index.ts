export type { LabelStudioValue } from "../tables/foreign/label-studio-export.js";
export {
  type Assignment,
  type AssignmentKind,
  type DoneAssignment,
  type ItemCount,
  type OpenAssignment,
  type Participation,
  type PersonalOrder,
  personalOrder,
  Tally,
} from "./assignment/answer-tally.js";
export type { OtherPeople } from "./assignment/keeps-capacity.js";
export { type AssignmentState, nextAssignment } from "./assignment/next-assignment.js";
export { readStudyConfig, type StudyConfig } from "./config/read-study-config.js";
export {
  type BlockSettings,
  type Exclusion,
  type Level,
  type ProtocolName,
  protocolNames,
  type StudySettings,
  studyConfigSchema,
} from "./config/study-config.js";
export { type CopiedStudy, copyStudy } from "./copy-study.js";
export { type CreateStudyOptions, createStudy } from "./create-study.js";
export type { FrozenStudy } from "./home/frozen-study.js";
export { type NewStudy, newStudy, openStudy } from "./home/open-study.js";
export type { EventOf, ParticipantEvent } from "./home/participant-event.js";
export { readState } from "./home/read-state.js";
export type {
  Drafts,
  OutsideId,
  Removal,
  RemovalReason,
  StoredParticipant,
  StudyChange,
} from "./home/study-change.js";
export {
  createStudyFolder,
  openStudyFolder,
  StudyFolder,
} from "./home/study-folder.js";
export type {
  ChangesUpTo,
  NotedRun,
  StudyHome,
} from "./home/study-home.js";
export { StudyImages } from "./home/study-images.js";
export {
  type AssignmentHistory,
  type ParticipantState,
  StudyState,
} from "./home/study-state.js";
export type { KeepImage } from "./items/freeze-items.js";
export type {
  FindEntity,
  FoundEntity,
  ImageSource,
  JudgedSet,
  SourceImage,
} from "./items/sources/image-source.js";
export type {
  LabelStudioChoice,
  LabelStudioFields,
  LabelStudioForm,
  LabelStudioQuestion,
} from "./label-studio/label-studio-form.js";
export type { ItemValue, PeopleMetric } from "./people-metric/people-step.js";
export { type Aim, type AnswerModel, answerModel } from "./plan/answer-model.js";
export {
  type PlannedPoint,
  planStudy,
  type StudyCost,
  type StudyPlan,
  type StudyPlanOptions,
  secondsPerAnswer,
  studyCost,
} from "./plan/plan-study.js";
export {
  type AnswerTable,
  type CountedAnswer,
  type ItemDraft,
  type ItemRow,
  type Protocol,
  type Showing,
  type ShownModel,
  type TableCell,
  type TableName,
  tableNames,
} from "./protocols/protocol.js";
export { protocols } from "./protocols/protocols.js";
export { type ParticipantQuality, participantQuality } from "./quality/participant-quality.js";
export type { Facilitator } from "./server/facilitator-service.js";
export type { Joined } from "./server/joining.js";
export type { Progress } from "./server/participant-items.js";
export type { Served } from "./server/served-study.js";
export { type SessionToken, Tokens } from "./server/signed-tokens.js";
export { type StudyAppOptions, studyApp } from "./server/study-app.js";
export {
  type NextItem,
  StudyService,
  type StudyServiceOptions,
} from "./server/study-service.js";
export type { Code, FilterShare, Study, StudyBlock, StudyItem, StudyText } from "./study.js";
export { type BlockStatus, type StudyStatus, studyStatus } from "./study-status.js";
export {
  type Collected,
  type CollectedStudy,
  collect,
  collectedChoices,
  type KeptAnswer,
} from "./tables/counted-answers.js";
export { type ExportedTable, exportTable } from "./tables/export-table.js";
