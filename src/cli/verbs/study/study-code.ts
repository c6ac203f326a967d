import { basename, extname, resolve } from "node:path";
import {
  type CodedPassage,
  type ThemesConclusion,
  themes,
} from "../../../analysis/themes/themes.js";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { failed } from "../../../files/file-error.js";
import { readTable } from "../../../files/read-table.js";
import { readTextFile } from "../../../files/regular-file.js";
import { rowsWriter } from "../../../files/rows-file.js";
import { readCodebook } from "../../../studies/coding/codebook.js";
import {
  type Passage,
  passagesOf,
  type SessionPassage,
  sessionPassages,
} from "../../../studies/coding/passages.js";
import { collect } from "../../../studies/tables/counted-answers.js";
import { csvLine } from "../../../tables/cell-table.js";
import { optionalText, text } from "../../../tables/columns.js";
import { pluralText } from "../../../views/number-text.js";
import { numberColumns } from "../../../views/printed.js";
import { command } from "../../command-line/command.js";
import { checkEnding, checkOut } from "../../command-line/out-path.js";
import { number3 } from "../../terminal/numbers.js";
import { table } from "../../terminal/terminal-table.js";
import { studyArguments, studyAt } from "./study-argument.js";

export default command({
  description:
    "Codes what people wrote or said. Without --collect it writes a sheet of passages: " +
    "expectations, comments on each model's images, reasons, notes (the facilitator's, too) and " +
    "what was said in transcripts (study transcript). It names no model: images are A, B, … as the " +
    "participant saw them, and --collect finds their models. Each coder fills in the column codes of a copy " +
    'by themselves: codes of the codebook, with ";" between them, or "-" where none applies. ' +
    "With --collect it reads the coders' sheets: their agreement on each code, and themes by query " +
    "and model. The codes that a facilitator tapped count as those of a coder of that name. A " +
    "passage has a theme where more than half of its coders say so.",
  examples: [
    "touchstone study code studies/first --out passages.csv",
    "touchstone study code studies/first --codebook codebook.yaml --collect anna.csv,ben.csv --out themes.csv",
  ],
  arguments: {
    ...studyArguments,
    out: {
      kind: "text",
      value: "FILE",
      description: "the sheet (.csv), or the themes (.csv, .jsonl, .parquet), to write",
    },
    codebook: {
      kind: "text",
      value: "FILE",
      description: "with --collect: codes: [{code, description}] (YAML), if not the study's own",
    },
    collect: { kind: "text", value: "A.csv,B.csv", description: "the coders' sheets, one each" },
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    if (given.out !== undefined && given.collect !== undefined) rowsWriter(given.out);
    else if (given.out !== undefined) checkEnding(given.out, [".csv"]);
    const home = await studyAt(given.study, environment);
    const { state, answers } = await collect(home);
    const session = sessionPassages(home, state);
    const own = [...passagesOf(answers), ...session];
    const people = new Set([...state.participants.values()].map(({ person }) => person));
    const read = async (file: string) =>
      readTextFile(resolve(workingDirectory, file)).catch(failed("read", file));
    if (given.collect === undefined) {
      const { out } = given;
      if (out === undefined)
        throw new InputError("Expected --out FILE.csv for the sheet of passages");
      const passages = own.filter(({ text }) => text !== "");
      if (passages.length === 0) {
        throw new InputError(
          `Expected comments, notes or transcripts in ${given.study} but found none`,
        );
      }
      await writeFileAtomically(resolve(workingDirectory, out), codingSheet(passages));
      output.resultJson({ out, passages: passages.length });
      output.result(`Wrote ${pluralText(passages.length, "passage")} to ${out}.`);
      output.note(
        "Give each coder a copy; they fill in the column codes without seeing each other's.",
      );
      output.nextCommand([
        ...["study", "code", given.study],
        ...(home.study.codebook === undefined ? ["--codebook", "codebook.yaml"] : []),
        ...["--collect", "anna.csv,ben.csv", "--out", "themes.csv"],
      ]);
      return;
    }
    const codebook =
      given.codebook === undefined
        ? home.study.codebook
        : readCodebook(given.codebook, await read(given.codebook));
    if (codebook === undefined) throw new InputError("Expected --codebook FILE with --collect");
    const codes = codebook.map(({ code }) => code);
    const files = given.collect.split(",").map((name) => name.trim());
    await checkOut(given.out, {
      inputs: given.codebook === undefined ? files : [given.codebook, ...files],
      workingDirectory,
    });
    const modelOf = new Map(own.map(({ passage, model }) => [passage, model]));
    const coded = await readSheets(files, { codes, modelOf, workingDirectory });
    const inSheets = coded.filter(({ participant }) => people.has(participant));
    if (inSheets.length === 0) {
      throw new InputError(`Expected passages of ${given.study} that were coded but found none`);
    }
    const found = themes([...inSheets, ...tapped(session, codes)], { codes });
    const gone = coded.length - inSheets.length;
    output.resultJson(JSON.parse(JSON.stringify({ ...found, erased: gone })));
    output.result(readableThemes(found, output.style.width));
    if (gone > 0) {
      output.note(
        `${pluralText(gone, "row")} of people who were erased were left out; erase them in the sheets, too.`,
      );
    }
    for (const warning of found.warnings) output.warn(warning);
    if (given.out !== undefined) {
      const write = rowsWriter(given.out, themeColumns);
      await writeFileAtomically(
        resolve(workingDirectory, given.out),
        await write(found.themes.map((theme) => ({ ...theme }))),
      );
      output.note(`Wrote ${given.out}`);
    }
    output.nextCommand(["study", "status", given.study]);
  },
});

const themeColumns = ["code", "query", "model", "passages", "participants", "disputed"];

/** The codes that the facilitator gave while it was said, as those of one more coder. */
const tapped = (
  passages: readonly SessionPassage[],
  codebook: readonly string[],
): readonly CodedPassage[] =>
  passages.flatMap(({ passage, participant, query, model, codes }) => {
    const own = codes.filter((code) => codebook.includes(code));
    return own.length === 0
      ? []
      : [{ passage, participant, query, model, coder: "facilitator", codes: own }];
  });

const share = (value: number | null): string => (value === null ? "–" : number3(value));

/** Renders the agreement of coders and the counts of themes, for a terminal. */
function readableThemes(
  { coders, passages, agreement, themes: found }: ThemesConclusion,
  width: number,
): string {
  const verdict = `${pluralText(coders.length, "coder")} read ${pluralText(passages, "passage")}.`;
  const reliability = table(
    [{ title: "code" }, ...numberColumns("passages of two", "majority", "kappa", "alpha")],
    agreement.map((one) => [
      one.code,
      String(one.passages),
      share(one.majorityShare),
      share(one.kappa),
      share(one.krippendorffAlpha),
    ]),
    width,
  );
  const counts = table(
    [
      { title: "theme" },
      { title: "query" },
      { title: "model" },
      ...numberColumns("people", "passages", "disputed"),
    ],
    found.map((one) => [
      one.code,
      one.query,
      one.model === "" ? "–" : one.model,
      String(one.participants),
      String(one.passages),
      String(one.disputed),
    ]),
    width,
  );
  return [verdict, reliability, counts].join("\n\n");
}

/** Who knows which model made the images may code its images otherwise. */
const sheetColumns = ["passage", "participant", "query", "images", "part", "text"] as const;

/** The sheet that coders get, with an empty column for their codes. */
const codingSheet = (passages: readonly Passage[]): string =>
  [
    csvLine([...sheetColumns, "codes"]),
    ...passages.map((passage) => csvLine([...sheetColumns.map((column) => passage[column]), null])),
  ].join("");

const columns = {
  passage: text,
  participant: text,
  query: optionalText,
  model: optionalText,
  coder: optionalText,
  codes: optionalText,
};

/**
 * Rows that were coded; one without codes was not read.
 *
 * @param options.modelOf the model of each of the study's passages; a column `model` says it of others
 * @throws InputError that lists unknown codes.
 */
async function readSheets(
  files: readonly string[],
  {
    codes,
    modelOf,
    workingDirectory,
  }: {
    readonly codes: readonly string[];
    readonly modelOf: ReadonlyMap<string, string>;
    readonly workingDirectory: string;
  },
): Promise<readonly CodedPassage[]> {
  const coded: CodedPassage[] = [];
  const problems: string[] = [];
  for (const name of files) {
    const source = { name, path: resolve(workingDirectory, name) };
    for await (const { row, line } of readTable({ source, columns, unique: ["passage"] })) {
      if (row.codes === undefined) continue;
      const given = row.codes.trim() === "-" ? [] : row.codes.split(";").map((code) => code.trim());
      for (const code of given) {
        if (!codes.includes(code))
          problems.push(`"${code}" is not in the codebook (in ${name}, line ${line})`);
      }
      coded.push({
        passage: row.passage,
        participant: row.participant,
        query: row.query ?? "",
        model: modelOf.get(row.passage) ?? row.model ?? "",
        coder: row.coder ?? basename(name, extname(name)),
        codes: given,
      });
    }
  }
  if (problems.length > 0) throw new InputError("Expected codes of the codebook", { problems });
  return coded;
}
