import { basename, extname, resolve } from "node:path";
import {
  type CodedPassage,
  type ThemesConclusion,
  themes,
} from "../../../analysis/themes/themes.js";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { fileError } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import { readTable } from "../../../files/table.js";
import { pluralText } from "../../../report/text/number-text.js";
import { readCodebook } from "../../../studies/coding/codebook.js";
import { type Passage, passagesOf } from "../../../studies/coding/passages.js";
import { readTranscript } from "../../../studies/coding/transcript.js";
import { collect } from "../../../studies/tables/counted-answers.js";
import { optionalText, text } from "../../../tables/columns.js";
import { csvLine } from "../../../tables/csv-text.js";
import { command } from "../../command-line/command.js";
import { checkOut } from "../../command-line/out-path.js";
import { number3 } from "../../terminal/numbers.js";
import { table } from "../../terminal/table.js";
import { studyArgument, studyAt } from "./study-argument.js";

export default command({
  description:
    "Codes what people wrote or said. Without --collect it writes a sheet of passages: " +
    "expectations, comments on each model's images, reasons, notes and, with --transcript, what " +
    "was said in an interview (WebVTT or plain text). Each coder fills in the column codes of a copy " +
    'by themselves: codes of the codebook, with ";" between them, or "-" where none applies. ' +
    "With --collect it reads the coders' sheets: their agreement on each code, and themes by query " +
    "and model. A passage has a theme where more than half of its coders say so.",
  examples: [
    "touchstone study code studies/first --out passages.csv",
    "touchstone study code studies/first --transcript p7.vtt --participant p-abcdefghij --query 'a nurse' --out p7.csv",
    "touchstone study code studies/first --codebook codebook.yaml --collect anna.csv,ben.csv --out themes.csv",
  ],
  arguments: {
    study: studyArgument,
    out: { kind: "text", value: "FILE", description: "the sheet, or the themes, to write (.csv)" },
    transcript: { kind: "text", value: "FILE", description: "an interview, .vtt or .txt" },
    participant: {
      kind: "text",
      value: "ID",
      description: "with --transcript: who was interviewed",
    },
    query: { kind: "text", description: "with --transcript: the query that it is about" },
    codebook: {
      kind: "text",
      value: "FILE",
      description: "with --collect: codes: [{code, description}] (YAML)",
    },
    collect: { kind: "text", value: "A.csv,B.csv", description: "the coders' sheets, one each" },
  },
  async run({ given, environment: { workingDirectory }, output }) {
    if (given.out !== undefined && extname(given.out).toLowerCase() !== ".csv") {
      throw new InputError(
        `Expected a file that ends in .csv for --out but received "${given.out}"`,
      );
    }
    const home = await studyAt(given.study, workingDirectory);
    const { state, answers } = await collect(home);
    const people = new Set([...state.participants.values()].map(({ person }) => person));
    const read = async (file: string) =>
      readTextFile(resolve(workingDirectory, file)).catch((error: unknown) => {
        throw fileError(error, "read", file);
      });
    if (given.collect === undefined) {
      const { out } = given;
      if (out === undefined)
        throw new InputError("Expected --out FILE.csv for the sheet of passages");
      const passages =
        given.transcript === undefined
          ? passagesOf(answers)
          : spoken(await read(given.transcript), { ...given, people });
      if (passages.length === 0) {
        throw new InputError(
          `Expected something that was written or said in ${given.study} but found nothing`,
        );
      }
      await writeFileAtomically(resolve(workingDirectory, out), sheet(passages));
      output.resultJson({ out, passages: passages.length });
      output.result(`Wrote ${pluralText(passages.length, "passage")} to ${out}.`);
      output.note(
        "Give each coder a copy; they fill in the column codes without seeing each other's.",
      );
      output.nextCommand([
        ...["study", "code", given.study, "--codebook", "codebook.yaml"],
        ...["--collect", "anna.csv,ben.csv", "--out", "themes.csv"],
      ]);
      return;
    }
    if (given.codebook === undefined)
      throw new InputError("Expected --codebook FILE with --collect");
    const codes = readCodebook(given.codebook, await read(given.codebook));
    const files = given.collect.split(",").map((name) => name.trim());
    await checkOut(given.out, { inputs: [given.codebook, ...files], workingDirectory });
    const coded = await readSheets(files, { codes, workingDirectory });
    const own = coded.filter(({ participant }) => people.has(participant));
    if (own.length === 0) {
      throw new InputError(`Expected passages of ${given.study} that were coded but found none`);
    }
    const found = themes(own, { codes });
    const gone = coded.length - own.length;
    output.resultJson(JSON.parse(JSON.stringify({ ...found, erased: gone })));
    output.result(readable(found, output.style.width));
    if (gone > 0) {
      output.note(
        `${pluralText(gone, "row")} of people who were erased were left out; erase them in the sheets, too.`,
      );
    }
    for (const warning of found.warnings) output.warn(warning);
    if (given.out !== undefined) {
      const columns = ["code", "query", "model", "passages", "participants", "disputed"] as const;
      const lines = found.themes.map((theme) => csvLine(columns.map((column) => theme[column])));
      await writeFileAtomically(
        resolve(workingDirectory, given.out),
        [csvLine(columns), ...lines].join(""),
      );
      output.note(`Wrote ${given.out}`);
    }
    output.nextCommand(["study", "status", given.study]);
  },
});

const sheetColumns = ["passage", "participant", "query", "model", "part", "text"] as const;

const sheet = (passages: readonly Passage[]): string =>
  [
    csvLine([...sheetColumns, "codes"]),
    ...passages.map((passage) => csvLine([...sheetColumns.map((column) => passage[column]), null])),
  ].join("");

/** What was said in an interview, as passages of one participant. */
function spoken(
  content: string,
  {
    participant,
    query,
    people,
  }: {
    readonly participant: string | undefined;
    readonly query: string | undefined;
    readonly people: ReadonlySet<string>;
  },
): readonly Passage[] {
  if (participant === undefined || !people.has(participant)) {
    throw new InputError(
      `Expected --participant ID of this study with --transcript but received ${participant ?? "none"}`,
      { hint: "study status lists them. Without it, erasing them could not reach what they said." },
    );
  }
  return readTranscript(content).map(({ speaker, text }, at) => ({
    passage: `transcript/${participant}/${at + 1}`,
    participant,
    query: query ?? "",
    model: "",
    part: speaker === "" ? "said" : `said by ${speaker}`,
    text,
  }));
}

const columns = {
  passage: text,
  participant: text,
  query: optionalText,
  model: optionalText,
  coder: optionalText,
  codes: optionalText,
};

/** Rows that were coded; one without codes was not read. @throws InputError that lists unknown codes. */
async function readSheets(
  files: readonly string[],
  {
    codes,
    workingDirectory,
  }: { readonly codes: readonly string[]; readonly workingDirectory: string },
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
        model: row.model ?? "",
        coder: row.coder ?? basename(name, extname(name)),
        codes: given,
      });
    }
  }
  if (problems.length > 0) throw new InputError("Expected codes of the codebook", { problems });
  return coded;
}

const share = (value: number | null): string => (value === null ? "–" : number3(value));

function readable(
  { coders, passages, agreement, themes: found }: ThemesConclusion,
  width: number,
): string {
  const verdict = `${pluralText(coders.length, "coder")} read ${pluralText(passages, "passage")}.`;
  const reliability = table(
    [
      { title: "code" },
      { title: "passages of two", align: "right" },
      { title: "majority", align: "right" },
      { title: "kappa", align: "right" },
      { title: "alpha", align: "right" },
    ],
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
      { title: "people", align: "right" },
      { title: "passages", align: "right" },
      { title: "disputed", align: "right" },
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
