import { InputError } from "../../../core/errors.js";
import { foreignFiles } from "../../../files/foreign-files.js";
import {
  readAnnotations,
  takeAnnotations,
} from "../../../studies/label-studio/read-annotations.js";
import { changeStudy } from "../../../studies/server/change-study.js";
import { Tokens } from "../../../studies/server/signed-tokens.js";
import { labelStudio } from "../../../tables/foreign/label-studio.js";
import { countText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { studyArguments, studyAt } from "./study-argument.js";

export default command({
  description:
    "Takes over what people answered in Label Studio to the tasks that study export " +
    "--label-studio wrote: the JSON export of the project. Each annotator becomes a participant " +
    "under a pseudonym, with consent marked as collected elsewhere; their name lies with the " +
    "outside ids, and study erase removes both. Such answers are kept apart: tables have them " +
    "with --collected elsewhere or all. The same file again changes nothing; what is not " +
    "understood is listed, and nothing is taken over.",
  examples: ["touchstone study import studies/first export.json"],
  arguments: {
    ...studyArguments,
    file: { kind: "positional", description: "a JSON export of Label Studio, or a folder of them" },
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
    const sets = await foreignFiles(file, { tool: labelStudio, workingDirectory });
    const { annotations, notes } = readAnnotations(home.study, { files: sets.flat(), tokens });
    const clock = () => environment.now().getTime();
    const taken = await changeStudy(home, {
      async asked({ url }) {
        throw new InputError(`Expected a study that nobody serves but ${url} serves it`, {
          hint: "Stop study serve, import, and start it again.",
        });
      },
      here: () => takeAnnotations(home, { annotations, source, tokens, clock }),
    });
    output.resultJson({ ...taken, notes });
    const { answers, corrections, known, participants } = taken;
    output.result(
      `Took over ${countText(answers)} ${answers === 1 ? "answer" : "answers"}; ` +
        `new participants: ${participants}, corrections: ${corrections}, known already: ${known}.`,
    );
    for (const note of notes) output.note(note);
    if (taken.erased > 0)
      output.note(`Left out answers of people who were erased: ${taken.erased}.`);
    output.nextCommand(["study", "status", study]);
  },
});
