import { resolve } from "node:path";
import { IncompleteError } from "../../../core/errors.js";
import { type FetchedFile, fetchSet, publishedAt } from "../../../evidence/fetch-set.js";
import { setsNamed } from "../../../evidence/sets.js";
import { pluralText, sizeText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";

export default command({
  description:
    "Downloads the files of published sets, each from the address of its commit, goes on with what an " +
    "earlier call left, and keeps a file only where its SHA-256 is right. Images are not downloaded.",
  examples: ["touchstone evidence fetch tifa160 --to data"],
  arguments: {
    name: {
      kind: "positional",
      repeated: true,
      optional: true,
      description: "names of sets (default: all)",
    },
    to: { kind: "text", value: "DIR", required: true, description: "the folder to write to" },
    address: {
      kind: "text",
      value: "URL",
      default: publishedAt,
      description: "where the files are, as a mirror has them: URL/OWNER/NAME/COMMIT/PATH",
    },
  },
  async run({ given, environment, output, words }) {
    const sets = setsNamed(given.name);
    const to = resolve(environment.workingDirectory, given.to);
    for (const { name, licence, isNonCommercial } of sets) {
      if (isNonCommercial) output.warn(`${name} is under ${licence}: no commercial use.`);
      else if (/none/.test(licence))
        output.warn(`${name} states no licence: ask its authors before other use than reading.`);
    }
    const fetched: { readonly name: string; readonly files: readonly FetchedFile[] }[] = [];
    for (const set of sets) {
      const bytes = set.files.reduce((sum, file) => sum + file.bytes, 0);
      output.note(
        `${set.name}: ${pluralText(set.files.length, "file")}, ${sizeText(bytes)}, ${set.licence}`,
      );
      const files: FetchedFile[] = [];
      const options = {
        to,
        from: given.address,
        fetch: globalThis.fetch,
        signal: environment.signal,
      };
      for await (const file of fetchSet(set, options)) {
        files.push(file);
        output.progress(`${set.name}: ${files.length} of ${set.files.length}`);
      }
      fetched.push({ name: set.name, files });
    }
    const failed = fetched.flatMap(({ name, files }) =>
      files.flatMap(({ path, state, reason }) =>
        state === "failed" ? [`${name}: ${path}: ${reason}`] : [],
      ),
    );
    const count = (state: FetchedFile["state"]) =>
      fetched.flatMap(({ files }) => files).filter((file) => file.state === state).length;
    if (failed.length > 0) {
      const shown = failed.slice(0, 5).join("\n");
      const more = failed.length > 5 ? `\nand ${failed.length - 5} more` : "";
      throw new IncompleteError(
        `Expected ${pluralText(failed.length + count("fetched"), "file")} but ${failed.length} did not arrive:\n${shown}${more}`,
        { hint: `Go on with: ${shellWords(["touchstone", ...words()])}` },
      );
    }
    output.resultJson({
      to: given.to,
      sets: fetched.map(({ name, files }) => ({
        name,
        files: files.map(({ path, state }) => ({ path, state })),
      })),
    });
    output.result(
      `${pluralText(count("fetched"), "file")} fetched, ${count("there")} were there already.`,
    );
    const [only, ...others] = sets;
    output.nextCommand([
      "evidence",
      "--from",
      given.to,
      ...(only !== undefined && others.length === 0 ? ["--only", only.name] : []),
    ]);
  },
});
