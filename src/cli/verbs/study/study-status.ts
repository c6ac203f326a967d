import { resolve } from "node:path";
import { writeFileAtomically } from "../../../files/atomic.js";
import { rowsWriter } from "../../../files/rows-file.js";
import { readState } from "../../../studies/home/read-state.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import { payments } from "../../../studies/panel/settled.js";
import { type StudyStatus, studyStatus } from "../../../studies/study-status.js";
import { hasTable } from "../../../studies/tables/export-table.js";
import { countText, fixedText, pluralText } from "../../../views/number-text.js";
import { numberColumns } from "../../../views/printed.js";
import { command } from "../../command-line/command.js";
import type { Environment } from "../../environment.js";
import { number3 } from "../../terminal/numbers.js";
import { table } from "../../terminal/terminal-table.js";
import { studyArguments, studyAt } from "./study-argument.js";

export default command({
  description:
    "Shows where a study stands: participants, answers, agreement so far, and for each " +
    "participant how carefully they answered. It may be asked while the study is served. With " +
    "--payments it also writes a list for whoever pays: outside ids beside how far and how carefully " +
    "each answered, with neither pseudonym nor answer, so that who pays learns not who said what.",
  examples: [
    "touchstone study status studies/first",
    "touchstone study status studies/first --payments payments.csv",
  ],
  arguments: {
    ...studyArguments,
    payments: {
      kind: "text",
      value: "FILE",
      description:
        "a .csv, .jsonl or .parquet file with a row for everybody who came by an outside id; keep " +
        "it apart from exports, and delete it once they are paid",
    },
  },
  async run({ given, environment, output }) {
    const write = given.payments === undefined ? undefined : rowsWriter(given.payments);
    const home = await studyAt(given.study, environment);
    if (given.payments !== undefined && write !== undefined) {
      const rows = payments(home.study, await readState(home));
      const path = resolve(environment.workingDirectory, given.payments);
      await writeFileAtomically(path, await write(rows), { mode: 0o600 });
      output.note(
        `Wrote ${pluralText(rows.length, "outside id")} with quality to ${given.payments}. Keep it apart from answers, and delete it once people are paid.`,
      );
    }
    const status = await studyStatus(home);
    output.resultJson(JSON.parse(JSON.stringify(status)));
    const { width } = output.style;
    output.result(
      [verdict(status), blocks(status, width), quality(status, width)].filter(Boolean).join("\n\n"),
    );
    const { pay } = status;
    if (pay?.perHour != null && pay.least !== null && pay.perHour < pay.least) {
      output.warn(
        `Pay comes to ${fixedText(pay.perHour, 2)} ${pay.currency} an hour, below the panel's least of ` +
          `${fixedText(pay.least, 2)}: study panel ${given.study} --lists DIR writes what is missing as bonuses.`,
      );
    }
    const today = environment.now().toISOString().slice(0, 10);
    if (status.retention !== null && status.retention <= today) {
      output.warn(`The answers were to be erased by ${status.retention}.`);
      output.nextCommand(["study", "erase", given.study, "--all"]);
      return;
    }
    const answered = status.blocks.find(({ agreement }) => agreement !== null);
    const block = home.study.blocks.find(({ name }) => name === answered?.name);
    const reading = readingCommand(home, environment);
    if (block === undefined) output.nextCommand(["study", "serve", given.study]);
    else if (reading !== undefined) output.nextCommand(reading);
    else {
      const table = hasTable(block, "preferences") ? "preferences" : "agreement";
      output.nextCommand([
        ...["study", "export", given.study, "--table", table],
        ...["--out", `${table}.csv`, "--block", block.name],
      ]);
    }
  },
});

/** The command that reads a study's answers, where the study says it and stands where that names it. */
const readingCommand = (
  { study: { settings }, place }: StudyHome,
  { workingDirectory }: Environment,
): readonly string[] | undefined =>
  settings.next?.some((word) => resolve(workingDirectory, word) === place)
    ? settings.next
    : undefined;

function verdict(status: StudyStatus): string {
  const { title, participants, elsewhere, blocks: all, closedAt, retention } = status;
  const answers = all.reduce((sum, block) => sum + block.answers, 0);
  const wanted = all.reduce((sum, block) => sum + block.wanted, 0);
  const people = `${participants.consented} ${participants.consented === 1 ? "person" : "people"}`;
  const others = [
    `${participants.finished} finished`,
    ...counted(participants.withdrawn, "withdrew"),
    ...counted(participants.declined, "declined"),
    ...counted(participants["screened-out"], "screened out"),
    ...counted(participants["quota-full"], "turned away: full"),
    ...counted(participants.erased, "erased"),
    ...counted(elsewhere.participants, `elsewhere with ${countText(elsewhere.answers)} answers`),
  ];
  return (
    `"${title}"${closedAt === null ? "" : " (closed)"}: ${countText(answers)} of ` +
    `${countText(wanted)} answers by ${people}.\n${others.join(", ")}` +
    (retention === null ? "" : `\nAll answers are to be erased by ${retention}.`) +
    payText(status)
  );
}

const payText = ({ pay }: StudyStatus): string =>
  pay === undefined || pay.medianMinutes === null
    ? ""
    : `\nMedian ${fixedText(pay.medianMinutes, 1)} minutes` +
      (pay.reward === null ? "" : ` for ${fixedText(pay.reward, 2)} ${pay.currency}`) +
      (pay.perHour === null ? "." : `: ${fixedText(pay.perHour, 2)} ${pay.currency} an hour.`);

const counted = (count: number, word: string): string[] =>
  count === 0 ? [] : [`${count} ${word}`];

const share = (value: number | null): string => (value === null ? "–" : number3(value));

const blocks = ({ blocks: all }: StudyStatus, width: number): string =>
  table(
    [
      { title: "block" },
      ...numberColumns("answers", "wanted", "items done", "skipped", "majority", "alpha"),
    ],
    all.map((block) => [
      block.name,
      countText(block.answers),
      countText(block.wanted),
      `${block.complete} of ${block.items}`,
      String(block.skipped),
      share(block.agreement?.majorityShare ?? null),
      share(block.agreement?.krippendorffAlpha ?? null),
    ]),
    width,
  );

const quality = ({ quality: all }: StudyStatus, width: number): string =>
  all.length === 0
    ? ""
    : table(
        [
          { title: "participant" },
          ...numberColumns("answers", "gold", "repeats", "seconds", "same answer"),
          { title: "excluded by" },
        ],
        all.map((one) => [
          one.participant,
          String(one.answers),
          share(one.goldAccuracy),
          share(one.repeatAgreement),
          share(one.medianSeconds),
          share(one.sameAnswerShare),
          one.excludedBy.join(", "),
        ]),
        width,
      );
