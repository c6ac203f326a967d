import { resolve } from "node:path";
import { openStudyFolder, type StudyFolder } from "../../../studies/home/study-folder.js";

/** The argument of every verb on a study. */
export const studyArgument = {
  kind: "positional",
  description: "the study's folder, as study create wrote it",
} as const;

/** Opens the study of a command line. */
export const studyAt = (directory: string, workingDirectory: string): Promise<StudyFolder> =>
  openStudyFolder(resolve(workingDirectory, directory));
