import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { auditExperts } from "../../../analysis/stereotypes/audit-experts.js";
import {
  expertRows,
  keepLabels,
  type LabelledFile,
  readLabelledAnswers,
} from "../../../benchmarks/stereotypes/expert-labels.js";
import { labellingSheetOf } from "../../../benchmarks/stereotypes/labelling-sheet-of-run.js";
import { loadNotice } from "../../../benchmarks/stereotypes/packaged.js";
import { readAuditRecords } from "../../../benchmarks/stereotypes/read-audit-records.js";
import { keptRubrics, loadRubrics } from "../../../benchmarks/stereotypes/rubrics.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import { jsonOrNone } from "../../../core/read-json.js";
import type { RecordStore } from "../../../core/record-store.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { failed, fileError } from "../../../files/file-error.js";
import {
  hasStore,
  openDocuments,
  openStore,
  runPlace,
  studyPlace,
} from "../../../files/open-store.js";
import { readTextFile } from "../../../files/regular-file.js";
import { rowsWriter } from "../../../files/rows-file.js";
import { renderOfflinePage } from "../../../report/pages/html-file.js";
import { isExpertName, labellingPage, labelsIn } from "../../../report/pages/labelling-page.js";
import { hasStudy, openStudy } from "../../../studies/home/open-study.js";
import { readState } from "../../../studies/home/read-state.js";
import { offlineStudy } from "../../../studies/page/offline-study.js";
import { checkOffline, plannedPages } from "../../../studies/page/planned-pages.js";
import { Tokens } from "../../../studies/server/signed-tokens.js";
import { pluralText, sizeText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { checkEnding, checkOut } from "../../command-line/out-path.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { wrap } from "../../terminal/wrap.js";

/** Of the labelling sheet of an audit. */
const sheetFlags = ["sets", "seed", "expert", "rubrics"] as const;

export default command({
  description:
    "Writes a study as one HTML file that one person answers offline, by keyboard: consent, items in " +
    "their order, images. Each person gets a page of their own (--page 1, 2, …); together they give items " +
    "the answers that they need. Answers stay in the browser until they are saved as a file, which study " +
    "import reads. A study that needs its server meanwhile is refused: moderated sessions, screening, a " +
    "panel. Of an audit's run (--audit) the page is a labelling sheet: a blinded sample of image " +
    "sets, balanced over categories, generators and phases, the same page for every expert. --collect joins " +
    "the experts' answers with the judge's into a table for analyze stereotypes --experts, and " +
    "keeps them in the run, in place of earlier ones, for its report.",
  examples: [
    "touchstone study page studies/first --page 1 --out anna.html",
    "touchstone study page --audit runs/audit --out sheet.html",
    "touchstone study page --audit runs/audit --collect anna.json,ben.json --out labelled.csv",
  ],
  arguments: {
    run: {
      ...runArgument,
      flags: ["audit", "run"],
      description:
        "the study's folder (or: --run STUDY), or that of an audit's run (or: --audit RUN)",
    },
    out: {
      kind: "text",
      value: "FILE",
      required: true,
      description: "the page to write (.html); with --collect, the table (.csv, .jsonl, .parquet)",
    },
    page: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "of a study: which page, another for each person (default: 1)",
    },
    sets: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "of an audit: the number of image sets (default: 90)",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      description: "of an audit: the random seed of the sample (default: 0)",
    },
    expert: {
      kind: "text",
      value: "NAME",
      description: "of an audit: the expert's name; the sheet asks for it if not given",
    },
    rubrics: {
      kind: "text",
      value: "FILE",
      description: "of an audit: its rubrics; those that the run keeps where not given",
    },
    collect: {
      kind: "text",
      value: "A.json,B.json",
      description: "of an audit: the experts' answers to join with the judge's",
    },
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const out = resolve(workingDirectory, given.out);
    const place = studyPlace(given.run, environment);
    if (await hasStudy(place)) {
      if (given.collect !== undefined) {
        throw new InputError(
          `Expected the run of an audit for --collect but ${given.run} is a study`,
          {
            hint: `What its pages saved is read by: ${shellWords(["touchstone", "study", "import", given.run, given.collect])}`,
          },
        );
      }
      const idle = sheetFlags.find((name) => given[name] !== undefined);
      if (idle !== undefined) {
        throw new InputError(`Expected no --${idle} for a study: it is of an audit's sheet`, {
          hint: "Of a study each person gets a page of their own: --page 1, 2, …",
        });
      }
      checkEnding(given.out, [".html", ".htm"]);
      await pageOfStudy({
        name: given.run,
        place,
        page: given.page ?? 1,
        out,
        shown: given.out,
        output,
      });
      return;
    }
    const runAt = runPlace(given.run, environment);
    if (!(await hasStore(runAt))) {
      throw new InputError(
        `Expected the folder of a study or of an audit's run but ${given.run} is neither`,
        { hint: "A study is made by touchstone study create, a run by touchstone audit." },
      );
    }
    if (given.page !== undefined) {
      throw new InputError("Expected no --page for an audit: it is of a study", {
        hint: "Of an audit every expert gets the same sheet.",
      });
    }
    const run = await openStore(runAt);
    if (given.collect !== undefined) {
      const idle = sheetFlags.find((name) => given[name] !== undefined);
      if (idle !== undefined) {
        throw new InputError(
          `Expected no --${idle} with --collect: it is of the sheet, which the answers name`,
          { hint: `Leave out --${idle}.` },
        );
      }
      const { run: name, out: table, collect: files } = given;
      await collect({ name, out: table, files, path: out, run, environment, output });
      return;
    }
    checkEnding(given.out, [".html", ".htm"]);
    if (given.expert !== undefined && !isExpertName(given.expert)) {
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
      sets: given.sets ?? 90,
      seed: given.seed ?? 0,
      itemsOf: ({ rubric, rubricRevision }) =>
        kept.get(rubricRevision) ?? rubrics.get(rubric)?.items,
    });
    await writeFileAtomically(out, await renderOfflinePage(labellingPage(sheet), sheet.title));
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
          `Give it to two experts or more. ${offline} It does not say which generator made an image or ` +
            "whether the text was reworded. Experts who share a browser need a sheet each (--expert NAME).",
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
      "anna.json,ben.json",
      "--out",
      "labelled.csv",
    ]);
  },
});

const offline =
  "It opens in any browser, asks nothing of a network, and keeps answers there until they are saved as a file.";

/** Writes a page of a study for one person. */
async function pageOfStudy({
  name,
  place,
  page: number,
  out,
  shown,
  output,
}: {
  readonly name: string;
  readonly place: string;
  readonly page: number;
  readonly out: string;
  readonly shown: string;
  readonly output: Output;
}): Promise<void> {
  const home = await openStudy(place);
  checkOffline(home.study);
  const tokens = new Tokens(home.secret);
  const pages = plannedPages(home.study, { tokens, upTo: number });
  const page = pages[number - 1];
  if (page === undefined) {
    throw new InputError(
      `Expected a page from 1 to ${pages.length} for --page but received ${number}`,
      {
        hint: `${pluralText(pages.length, "person", "people")} can give every item the answers it needs (ratingsPerItem, participants).`,
      },
    );
  }
  const state = await readState(home);
  if (state.closedAt !== undefined) {
    throw new InputError(`Expected an open study but ${name} was closed`, {
      hint: "Nobody can join it any more: create it anew.",
    });
  }
  const study = await offlineStudy(home, page);
  await writeFileAtomically(out, await renderOfflinePage(study, home.study.settings.title));
  const { size } = await stat(out);
  const { participant } = page;
  output.resultJson({
    path: out,
    bytes: size,
    page: number,
    participant,
    items: page.shown.length,
  });
  output.result(
    [
      `Page ${number}: ${shown} (${sizeText(size)}) with ${pluralText(page.shown.length, "item")} for ${participant}`,
      wrap(`Give it to one person. ${offline}`, 100),
    ].join("\n"),
  );
  if (home.study.settings.goldCheck !== undefined) {
    output.note("Gold items are checked by study import: the page neither warns nor ends early.");
  }
  if (state.people > 0) {
    output.note(
      "People joined this study already: pages are planned as if only pages were answered, so items may get more answers than ratingsPerItem.",
    );
  }
  output.nextCommand(["study", "import", name, `answers-${participant}.json`]);
}

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
    await Promise.all(names.map((file) => labelledFile(file, workingDirectory))),
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

/** An expert's file: what a sheet saved, or a table (a study's --table labels, sheets of earlier versions). */
async function labelledFile(name: string, workingDirectory: string): Promise<LabelledFile> {
  const path = resolve(workingDirectory, name);
  if (!/\.json$/i.test(name)) return { name, path };
  const value = jsonOrNone(await readTextFile(path).catch(failed("read", path)));
  const rows = labelsIn({ name, value });
  if (rows !== undefined) return { name, rows };
  throw new InputError(`Expected ${name} as a labelling sheet saves it but it is no such file`, {
    hint: "Save it from the sheet; tables are read as .csv.",
  });
}

const ownColumns = "query category model phase imageSet item present expert".split(" ");
