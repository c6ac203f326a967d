import type { Arguments } from "../../../core/options.js";
import { studyPlace } from "../../../files/open-store.js";
import { openStudy } from "../../../studies/home/open-study.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import { storeArgument } from "../../command-line/store-argument.js";
import type { Environment } from "../../environment.js";

/** The arguments of every verb on a study. */
export const studyArguments = {
  study: {
    kind: "positional",
    flags: ["run"],
    description:
      "the study's folder, as study create wrote it; with --store its name there (or: --run STUDY)",
  },
  ...storeArgument,
} as const satisfies Arguments;

/** Opens the study of a command line. */
export const studyAt = (study: string, environment: Environment): Promise<StudyHome> =>
  openStudy(studyPlace(study, environment));
