import { basename, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { failed } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import { readTranscript } from "../../../studies/coding/transcript.js";
import { changeStudy } from "../../../studies/server/change-study.js";
import { askServer } from "../../../studies/server/served-study.js";
import { StudyError } from "../../../studies/server/study-error.js";
import { StudyService } from "../../../studies/server/study-service.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { studyArguments, studyAt } from "./study-argument.js";

export default command({
  description:
    "Takes the transcript of a session into the study: WebVTT, SubRip, or plain text with a " +
    'paragraph for each utterance, with or without a time and "Name:" before it. It belongs to the ' +
    "participant: study code has it coded like notes, study erase removes it. With --begun, what " +
    "was shown when something was said gives its query and model. A file of the same name takes " +
    "the place of the one before. It works while the study is served, too.",
  examples: [
    "touchstone study transcript studies/first p7.vtt --participant p-abcdefghij --begun 2026-11-23T10:00:00Z",
    "touchstone study transcript studies/first p7.txt --participant p-abcdefghij --query 'a nurse'",
  ],
  arguments: {
    ...studyArguments,
    file: { kind: "positional", description: "the transcript (.vtt, .srt, .txt)" },
    participant: {
      kind: "text",
      value: "ID",
      required: true,
      description: "who was interviewed, as study status lists them",
    },
    query: { kind: "text", description: "the query that all of it is about" },
    begun: {
      kind: "text",
      value: "TIME",
      description: "when the recording began, such as 2026-11-23T10:00:00Z",
    },
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const begunAt = given.begun === undefined ? undefined : timeOf(given.begun);
    const text = await readTextFile(resolve(workingDirectory, given.file)).catch(
      failed("read", given.file),
    );
    const utterances = readTranscript(text, given.file);
    if (begunAt !== undefined && utterances.every(({ at }) => at === undefined)) {
      throw new InputError(`Expected times in ${given.file} with --begun but it has none`);
    }
    const home = await studyAt(given.study, environment);
    const request = {
      name: basename(given.file),
      text,
      ...(given.query === undefined ? {} : { query: given.query }),
      ...(begunAt === undefined ? {} : { begunAt }),
    };
    await changeStudy<unknown>(home, {
      asked(served) {
        const body = { participant: given.participant, ...request };
        return askServer(served, { path: "transcripts", token: home.adminToken, body });
      },
      async here() {
        const clock = () => environment.now().getTime();
        const { facilitator } = await StudyService.open(home, { clock });
        await facilitator.transcript(given.participant, request).catch((error: unknown) => {
          throw error instanceof StudyError
            ? new InputError(error.message, { hint: "study status lists the participants." })
            : error;
        });
      },
    });
    output.resultJson({ participant: given.participant, utterances: utterances.length });
    output.result(
      `Took ${pluralText(utterances.length, "utterance")} of ${given.file} for ${given.participant}.`,
    );
    output.nextCommand(["study", "code", given.study, "--out", "passages.csv"]);
  },
});

function timeOf(text: string): number {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new InputError(
    `Expected a time such as 2026-11-23T10:00:00Z for --begun but received "${text}"`,
  );
}
