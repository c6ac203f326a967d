import { InputError } from "../../../core/errors.js";
import { foreignFiles } from "../../../files/foreign-files.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import {
  readAnnotations,
  takeAnnotations,
} from "../../../studies/label-studio/read-annotations.js";
import { isSavedPage, takePages } from "../../../studies/page/take-pages.js";
import { changeStudy } from "../../../studies/server/change-study.js";
import { Tokens } from "../../../studies/server/signed-tokens.js";
import type { ForeignFile } from "../../../tables/foreign/foreign-table.js";
import { labelStudio } from "../../../tables/foreign/label-studio.js";
import { countText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { studyArguments, studyAt } from "./study-argument.js";

export default command({
  description:
    "Takes over what people answered elsewhere. A file that a page of study page saved, or a folder of " +
    "them, becomes its participant's answers, with all that the server would check. Of Label Studio " +
    "it reads the JSON export of a project that study export --label-studio made. Each annotator becomes a participant " +
    "under a pseudonym, with consent marked as collected elsewhere; their name lies with the " +
    "outside ids, and study erase removes both. Such answers are kept apart: tables have them " +
    "with --collected elsewhere or all. The same file again changes nothing; what is not " +
    "understood is listed, and nothing is taken over.",
  examples: [
    "touchstone study import studies/first answers-p-abcdefghij.json",
    "touchstone study import studies/first export.json",
  ],
  arguments: {
    ...studyArguments,
    file: {
      kind: "positional",
      description: "what a page saved, a JSON export of Label Studio, or a folder of them",
    },
    source: {
      kind: "text",
      value: "NAME",
      default: "label-studio",
      description: "which server it was: another name where another has the same annotator ids",
    },
  },
  async run({ given: { study, file, source }, environment, output }) {
    const { workingDirectory } = environment;
    const home = await studyAt(study, environment);
    const tokens = new Tokens(home.secret);
    const tool = {
      ...labelStudio,
      summary: `what a study's page saved, or ${labelStudio.summary}`,
    };
    const files = (await foreignFiles(file, { tool, workingDirectory })).flat();
    const pages = files.filter(isSavedPage);
    if (pages.length > 0 && pages.length < files.length) {
      throw new InputError(
        `Expected files that pages saved, or of Label Studio, but ${file} has both`,
        { hint: "Take them over one kind after the other." },
      );
    }
    const clock = () => environment.now().getTime();
    const take =
      pages.length > 0
        ? () => takePages(home, { files, clock })
        : labelStudioTaker(home, { files, tokens, source, clock });
    const taken = await changeStudy(home, {
      async asked({ url }) {
        throw new InputError(`Expected a study that nobody serves but ${url} serves it`, {
          hint: "Stop study serve, import, and start it again.",
        });
      },
      here: take,
    });
    output.resultJson({ ...taken });
    const { answers, corrections, known, participants } = taken;
    output.result(
      `Took over ${countText(answers)} ${answers === 1 ? "answer" : "answers"}; ` +
        `new participants: ${participants}, corrections: ${corrections}, known already: ${known}.`,
    );
    for (const note of taken.notes) output.note(note);
    if (taken.erased > 0)
      output.note(`Left out answers of people who were erased: ${taken.erased}.`);
    output.nextCommand(["study", "status", study]);
  },
});

/** Reads annotations before the study is held, so that a wrong file is refused first. */
function labelStudioTaker(
  home: StudyHome,
  {
    files,
    source,
    tokens,
    clock,
  }: {
    readonly files: readonly ForeignFile[];
    readonly source: string;
    readonly tokens: Tokens;
    readonly clock: () => number;
  },
) {
  const { annotations, notes } = readAnnotations(home.study, { files, tokens });
  const given = { annotations, source, tokens, clock };
  return async () => ({ ...(await takeAnnotations(home, given)), notes });
}
