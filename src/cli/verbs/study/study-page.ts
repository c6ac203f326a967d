import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { auditExperts } from "../../../analysis/stereotypes/audit-experts.js";
import {
  expertRows,
  keepLabels,
  readLabelledAnswers,
} from "../../../benchmarks/stereotypes/expert-labels.js";
import { labellingSheetOf } from "../../../benchmarks/stereotypes/labelling-sheet-of-run.js";
import { loadNotice } from "../../../benchmarks/stereotypes/packaged.js";
import { readAuditRecords } from "../../../benchmarks/stereotypes/read-audit-records.js";
import { keptRubrics, loadRubrics } from "../../../benchmarks/stereotypes/rubrics.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import type { RecordStore } from "../../../core/record-store.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { fileError } from "../../../files/file-error.js";
import { openDocuments, openStore, runPlace } from "../../../files/open-store.js";
import { readTextFile } from "../../../files/regular-file.js";
import { rowsWriter } from "../../../files/rows-file.js";
import { renderLabellingSheet } from "../../../report/pages/labelling-sheet.js";
import { pluralText, sizeText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { checkEnding, checkOut } from "../../command-line/out-path.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { wrap } from "../../terminal/wrap.js";

export default command({
  description:
    "Makes a labelling sheet for experts who check an audit's judge: one HTML file that " +
    "works offline and by keyboard, with a blinded sample of image sets, balanced over " +
    "categories, generators and phases. Experts save their answers as CSV; --collect joins " +
    "them with the judge's answers into a table for analyze stereotypes --experts, and keeps " +
    "them in the run, in place of earlier ones, for its report.",
  examples: [
    "touchstone study page --audit runs/audit --out sheet.html",
    "touchstone study page --audit runs/audit --collect labels-anna.csv,labels-ben.csv --out labelled.csv",
  ],
  arguments: {
    run: {
      ...runArgument,
      flags: ["audit", "run"],
      description: "the folder of the audit's run (or: --audit RUN)",
    },
    out: {
      kind: "text",
      value: "FILE",
      required: true,
      description: "the sheet to write (.html); with --collect, the table (.csv, .jsonl, .parquet)",
    },
    sets: {
      kind: "number",
      integer: true,
      minimum: 1,
      default: 90,
      description: "the number of image sets on the sheet",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      default: 0,
      description: "the random seed of the sample",
    },
    expert: {
      kind: "text",
      value: "NAME",
      description: "the expert's name; the sheet asks for it if not given",
    },
    rubrics: {
      kind: "text",
      value: "FILE",
      description: "the rubrics of the audit; those that the run keeps where not given",
    },
    collect: {
      kind: "text",
      value: "A.csv,B.csv",
      description: "the experts' answers to join with the judge's",
    },
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const run = await openStore(runPlace(given.run, environment));
    const out = resolve(workingDirectory, given.out);
    if (given.collect !== undefined) {
      const { run: name, out: table, collect: files } = given;
      await collect({ name, out: table, files, path: out, run, environment, output });
      return;
    }
    checkEnding(given.out, [".html", ".htm"]);
    if (given.expert !== undefined && !/^[A-Za-z0-9_-]{1,40}$/.test(given.expert)) {
      throw new InputError(
        `Expected up to 40 letters, digits, - and _ for --expert but received "${given.expert}"`,
      );
    }
    const own = await sourceOf(given.rubrics, workingDirectory);
    const rubrics = loadRubrics(own);
    const kept = own === undefined ? await keptRubrics(documentsOf(given.run, environment)) : none;
    output.progress("Drawing the sample …");
    const sheet = await labellingSheetOf(run, {
      title: `Labelling sheet: ${basename(run.place)}`,
      notice: loadNotice().text,
      expert: given.expert,
      sets: given.sets,
      seed: given.seed,
      itemsOf: ({ rubric, rubricRevision }) =>
        kept.get(rubricRevision) ?? rubrics.get(rubric)?.items,
    });
    await writeFileAtomically(out, renderLabellingSheet(sheet));
    const { size } = await stat(out);
    const questions = sheet.sets.reduce(
      (sum, { rubric }) => sum + (sheet.rubrics[rubric]?.length ?? 0),
      0,
    );
    output.resultJson({
      path: out,
      bytes: size,
      sheet: sheet.sheet,
      sets: sheet.sets.length,
      questions,
    });
    output.result(
      [
        `Sheet: ${given.out} (${sizeText(size)}) with ${pluralText(sheet.sets.length, "set")} of images and ${pluralText(questions, "question")}`,
        wrap(
          "Give it to two experts or more. It opens in any browser, asks nothing of a network, keeps " +
            "answers there until they are saved (e), and does not say which generator made an image or " +
            "whether the text was reworded.",
          100,
        ),
      ].join("\n"),
    );
    output.nextCommand([
      "study",
      "page",
      "--audit",
      given.run,
      "--collect",
      "labels-A.csv,labels-B.csv",
      "--out",
      "labelled.csv",
    ]);
  },
});

const none: Awaited<ReturnType<typeof keptRubrics>> = new Map();

const documentsOf = (run: string, environment: Environment) =>
  openDocuments(runPlace(run, environment));

async function sourceOf(file: string | undefined, workingDirectory: string) {
  if (file === undefined) return undefined;
  const path = resolve(workingDirectory, file);
  try {
    return { file, text: await readTextFile(path) };
  } catch (error) {
    throw fileError(error, "read", path);
  }
}

async function collect({
  name,
  files,
  out,
  path,
  run,
  environment,
  output,
}: {
  readonly name: string;
  readonly files: string;
  readonly out: string;
  readonly path: string;
  readonly run: RecordStore;
  readonly environment: Environment;
  readonly output: Output;
}): Promise<void> {
  const { workingDirectory } = environment;
  const write = rowsWriter(out);
  const names = files.split(",").map((name) => name.trim());
  if (names.includes("") || new Set(names).size < names.length) {
    throw new InputError(`Expected different files for --collect but received "${files}"`);
  }
  await checkOut(out, { inputs: names, workingDirectory });
  const records = await readAuditRecords(run);
  const answers = await readLabelledAnswers(
    names.map((file) => ({ name: file, path: resolve(workingDirectory, file) })),
    records.audits,
  );
  const { rows, names: experts } = expertRows(records, answers);
  const { rows: joined, experts: found } = auditExperts(rows, experts);
  const taken = experts.find((expert) => ownColumns.includes(expert));
  if (taken !== undefined) {
    throw new InputError(
      `Expected another name of an expert than "${taken}", a column of the table`,
    );
  }
  const table = joined.map(({ query, category, model, phase, imageSet, item, ...row }, at) => ({
    query,
    category,
    model,
    phase,
    imageSet,
    item,
    present: row.present,
    expert: row.expert ?? null,
    ...Object.fromEntries(experts.map((expert, of) => [expert, rows[at]?.experts[of] ?? null])),
  }));
  await writeFileAtomically(path, await write(table));
  await keepLabels(documentsOf(name, environment), answers);
  output.resultJson(asJson({ path, rows: rows.length, experts: found }));
  output.result(
    [
      `Table: ${out} with ${pluralText(rows.length, "answer")} of the judge`,
      ...experts.map((expert, at) => `${expert}: ${pluralText(found.answers[at] ?? 0, "answer")}`),
      `${pluralText(found.n, "answer")} have a label, ${pluralText(found.disputed, "of them", "of them")} with as many for as against`,
      `Kept in the run for its report: ${shellWords(["touchstone", "report", name])}`,
    ].join("\n"),
  );
  output.nextCommand(["analyze", "stereotypes", out, "--experts", experts.join(",")]);
}

const ownColumns = "query category model phase imageSet item present expert".split(" ");
