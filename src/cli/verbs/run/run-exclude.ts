import { resolve } from "node:path";
import { type ExcludedTriplets, tripletOf } from "../../../analysis/pairs/image-pairs.js";
import { readExcluded, writeExcluded } from "../../../benchmarks/prototypicality/run-filter.js";
import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { readTable } from "../../../files/read-table.js";
import { text } from "../../../tables/columns.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { table } from "../../terminal/terminal-table.js";
import { reportWords } from "./benchmark-of.js";

export default command({
  description:
    "Leaves triplets out of all that is concluded from a run and of studies of it, each with a reason; the " +
    "studio's page of pairs does so, too. FILE is the whole list: what is not in it counts again. " +
    "Without FILE it prints the list. Records stay as they are.",
  examples: [
    "touchstone run exclude runs/demo",
    "touchstone run exclude runs/demo excluded.csv",
    "touchstone run exclude runs/demo --none",
  ],
  arguments: {
    run: runArgument,
    file: {
      kind: "positional",
      optional: true,
      description:
        "a table of triplet and reason; a triplet is PROMPT/SAMPLE, a prompt's key (all of its samples) or " +
        "the key of one of its images",
    },
    none: { kind: "switch", description: "count all triplets again" },
  },
  async run({ given, environment, output }) {
    const place = runPlace(given.run, environment);
    const store = await openStore(place);
    const { file, none } = given;
    if (none && file !== undefined) {
      throw new InputError("Expected FILE or --none but received both");
    }
    if (none) await writeExcluded(store, new Map());
    if (file !== undefined) {
      const path = resolve(environment.workingDirectory, file);
      await writeExcluded(store, await excludedIn({ name: file, path }, store));
    }
    const excluded = await readExcluded(store);
    output.resultJson({
      run: given.run,
      excluded: [...excluded].map(([triplet, reason]) => ({ triplet, reason })),
    });
    const rows = [...excluded].map(([triplet, reason]) => [triplet, reason]);
    output.result(
      rows.length === 0
        ? `No triplet of ${given.run} is excluded.`
        : [
            `${pluralText(rows.length, "triplet")} of ${given.run} excluded:`,
            table([{ title: "triplet" }, { title: "reason" }], rows, output.style.width),
          ].join("\n"),
    );
    output.nextCommand(await reportWords(given.run, store));
  },
});

/** @throws InputError that lists, by line, what names no triplet of the run. */
async function excludedIn(
  source: { readonly name: string; readonly path: string },
  store: RecordStore,
): Promise<ExcludedTriplets> {
  const known = await tripletsOf(store);
  const excluded = new Map<string, string>();
  const problems: string[] = [];
  for await (const { row, line } of readTable({
    source,
    columns: { triplet: text, reason: text },
  })) {
    const meant = known.get(row.triplet);
    if (meant === undefined) problems.push(`line ${line}: the run has no triplet ${row.triplet}`);
    for (const triplet of meant ?? []) excluded.set(triplet, row.reason);
  }
  if (problems.length > 0) {
    throw new InputError(`Expected triplets of the run in ${source.name}`, {
      problems,
      hint: "PROMPT/SAMPLE is the pair of a study's table; a prompt's or an image's key does as well.",
    });
  }
  return excluded;
}

/** The triplets that a name may mean: their own, their prompt's and their images'. */
async function tripletsOf(store: RecordStore): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const prompts = new Set<string>();
  for await (const { key } of store.ofType("prompt")) prompts.add(key);
  const known = new Map<string, Set<string>>();
  for await (const image of store.ofType("image")) {
    if (!prompts.has(image.prompt)) continue;
    const triplet = tripletOf(image);
    for (const name of [triplet, image.prompt, image.key]) {
      known.set(name, (known.get(name) ?? new Set()).add(triplet));
    }
  }
  return known;
}
