import { resolve } from "node:path";
import type { Concluded, Conclusion } from "../../conclusions/conclusion.js";
import {
  type GivenTable,
  type Inputs,
  outArgument,
  tableName,
} from "../../conclusions/table-options.js";
import { GateError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import { failed } from "../../files/file-error.js";
import { matchingFiles } from "../../files/matching-files.js";
import { tableBytes } from "../../files/read-table.js";
import { readTextFile } from "../../files/regular-file.js";
import type { Command } from "../command-line/command.js";
import { checkOut } from "../command-line/out-path.js";
import {
  checkOpen,
  detailsArgument,
  openArgument,
  openWhere,
} from "../command-line/shared-arguments.js";
import { shellWords } from "../command-line/shell-words.js";
import type { Environment } from "../environment.js";
import type { Output } from "../terminal/output.js";
import { conclusionText } from "../terminal/terminal-table.js";
import { fileWriter, plotArgument, plotWriter, tableWriter } from "./conclusion-file.js";

interface GivenFiles extends GivenTable {
  readonly "without-excluded": string | undefined;
  readonly out: string | undefined;
  readonly plot: string | undefined;
  readonly details: boolean;
  readonly json: boolean;
  readonly open: boolean;
}

const excludedArgument = {
  "without-excluded": {
    kind: "text",
    value: "FILE",
    description:
      "the same table without whom a study's rules exclude, as study export writes it: what it comes " +
      "to is said beside",
  },
} as const satisfies Arguments;

/**
 * Makes a command of a verb that concludes from a table: it prints the conclusion as text or JSON, writes
 * --out and --plot, and names a command that does more with it. One suite,
 * `conclusion-command.test.ts`, holds all of them to this.
 *
 * main.ts finds `analyze NAME` in verbs.ts, which gives `conclusionCommand` of src/conclusions/NAME/NAME.ts.
 * `verb.conclude` calls what stands there: `read` (by `readTable`, src/tables/table.ts; `tableBytes` opens the file as
 * a stream), `conclude` (by src/analysis), `view`. `conclusionText` (terminal/terminal-table.ts) makes the view a text,
 * which `output.result` writes to stdout.
 *
 * @param options.inputs where tables come from, if not from files alone.
 */
export function conclusionCommand(
  verb: Conclusion,
  {
    inputs: inputsOf = (files) => files,
  }: { inputs?(files: Inputs, environment: Environment): Inputs } = {},
): Command {
  return {
    kind: "command",
    description: verb.description,
    examples: verb.examples,
    arguments: {
      ...verb.arguments,
      ...excludedArgument,
      ...detailsArgument,
      ...outArgument,
      ...Object.fromEntries(
        Object.entries(verb.files).map(([name, { description }]) => [
          flagOf(name),
          {
            kind: "text",
            value: "FILE",
            description: `also write ${description}: .csv or .parquet`,
          },
        ]),
      ),
      ...openArgument,
      ...(verb.hasFigure && plotArgument),
    },
    async run({ given: parsed, environment, output, words }) {
      // The line is parsed against these very declarations.
      const { file: named, json: asksForJson, ...others } = parsed as unknown as GivenFiles;
      const { workingDirectory } = environment;
      const file = await matchingFiles(named, workingDirectory);
      const given = { ...others, file };
      const write = await fileWriter(given, environment);
      const draw = await plotWriter(given, environment);
      const further = await Promise.all(
        Object.keys(verb.files).map(async (name) => {
          const flag = flagOf(name);
          const out = (parsed as Readonly<Record<string, unknown>>)[flag] as string | undefined;
          const write = await tableWriter(out, { flag, inputs: file, workingDirectory });
          return { name, out, write };
        }),
      );
      checkOpen(given);
      const { "without-excluded": withoutExcluded } = given;
      const inputs = [...verb.alsoReads(given), withoutExcluded];
      await checkOut(given.out, { workingDirectory, inputs });
      await checkOut(given.plot, { workingDirectory, inputs, flag: "plot" });

      const files = inputsOf(filesOf(environment, output), environment);
      const {
        table,
        files: tables,
        figure,
        pair,
        finish,
        ...all
      } = await verb.conclude(given, files);
      const { json, view } =
        withoutExcluded === undefined
          ? all
          : beside(
              all,
              await verb.conclude({ ...given, file: withoutFirst(withoutExcluded, given) }, files),
            );
      // The command that concludes the same is named without what it also wrote.
      const noFiles = {
        out: undefined,
        plot: undefined,
        open: false,
        details: false,
        ...Object.fromEntries(further.map(({ name }) => [flagOf(name), undefined])),
      };
      const command = shellWords(["touchstone", ...words(noFiles)]);

      await write({
        json,
        view,
        command,
        table,
        async page() {
          const { conclusionPage } = await import("../../report/pages/conclusion-page.js");
          const title = `${verb.title}: ${tableName(given)}`;
          const found = pair();
          const { shownPair, shownPictures } = await import("./shown-pair.js");
          const places = { file, workingDirectory, output };
          return conclusionPage(view, {
            title,
            command,
            figure: await figure(),
            example: found && (await shownPair(found, places)),
            chapters: await shownPictures(view.pictures ?? [], places),
          });
        },
      });
      await draw(figure, output);
      if (asksForJson) output.resultJson(json());
      else output.result(conclusionText(view, { style: output.style, details: given.details }));
      for (const { name, write } of further) {
        const made = tables[name];
        if (made !== undefined) await write(made());
      }
      for (const out of [given.out, ...further.map(({ out }) => out)]) {
        if (out !== undefined) output.note(`Wrote ${out}`);
      }
      openWhere(given, environment);
      const next = words({ ...noFiles, ...furtherOf(given, verb) });
      output.nextCommand(next);
      try {
        finish();
      } catch (error) {
        // Whoever reads the verdict has read why.
        const isSaid = error instanceof GateError && view.verdict.includes(error.message);
        throw isSaid && !asksForJson
          ? new GateError("The gate was missed: the verdict says why", {
              hint: `Look closer: ${shellWords(["touchstone", ...next])}`,
            })
          : error;
      }
    },
  };
}

const flagOf = (name: string) => `${name}-out`;

/** The table in place of the one that was given; of joined files, of the first. */
const withoutFirst = (table: string, { file, join }: Pick<GivenTable, "file" | "join">) =>
  join === undefined ? [table] : [table, ...file.slice(1)];

/** Flags of what is new after this: its page, else the gate that was just written, else the details. */
function furtherOf({ out, details, ...given }: Omit<GivenFiles, "json">, verb: Conclusion) {
  if (out === undefined) return { out: verb.page };
  const isBaseline = "baseline" in verb.arguments && out.toLowerCase().endsWith(".json");
  if (isBaseline && !("baseline" in given && given.baseline !== undefined))
    return { baseline: out };
  return details ? { json: true } : { details: true };
}

/** Joins the conclusions with and without the excluded: neither is said alone. */
const beside = (
  { json, view }: Pick<Concluded, "json" | "view">,
  kept: Pick<Concluded, "json" | "view">,
): Pick<Concluded, "json" | "view"> => ({
  json: () => ({ ...json(), withoutExcluded: kept.json() }),
  view: { ...view, verdict: `${view.verdict} Without the excluded: ${kept.view.verdict}` },
});

/**
 * Returns a command's inputs: the files of this machine, and its standard input.
 *
 * @param note told in a sentence which words were read as no answer.
 */
export const filesOf = (
  { stdin, workingDirectory }: Pick<Environment, "stdin" | "workingDirectory">,
  { note }: Partial<Pick<Output, "note">> = {},
): Inputs => ({
  ...(note && { tell: note }),
  table(file, isFormatKnown) {
    const name = tableName({ file: [file] });
    const source =
      file === "-" ? { name, bytes: stdin } : { name, path: resolve(workingDirectory, file) };
    return tableBytes(source, isFormatKnown);
  },
  text: (file) => readTextFile(resolve(workingDirectory, file)).catch(failed("read", file)),
});
