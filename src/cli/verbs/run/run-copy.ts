import { excludedFile } from "../../../benchmarks/prototypicality/excluded-triplets.js";
import { labelsFile } from "../../../benchmarks/stereotypes/expert-labels.js";
import { rubricsFile } from "../../../benchmarks/stereotypes/kept-rubrics.js";
import { IncompleteError } from "../../../core/errors.js";
import {
  hasStore,
  isShared,
  openDocuments,
  openStore,
  placeIn,
  shownPlace,
  storePlace,
  storesIn,
} from "../../../files/open-store.js";
import { overviewFile } from "../../../report/overviews/standing-overview.js";
import { reportPage, verdictFile } from "../../../report/pages/standing-report.js";
import { copyRun } from "../../../runs/copy-run.js";
import { command } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import { blobsArgument, inBlobs } from "../../command-line/store-argument.js";

export default command({
  description:
    "Copies a run, with the runs within it, from a folder to a database or back. A copy that was " +
    "stopped goes on where it stopped, and a copy of a run that has grown since grows. Records " +
    "have the same bytes in every home. Passwords come from PGPASSWORD, not from the address. With " +
    "--blobs images go to S3 or a shared folder, with keys from AWS_ACCESS_KEY_ID and its fellows.",
  examples: [
    "touchstone run copy runs/demo postgres://me@localhost/touchstone/demo",
    "touchstone run copy postgres://me@localhost/touchstone/demo runs/copy",
    "touchstone run copy runs/demo postgres://me@localhost/touchstone/demo --blobs s3://images/demo",
  ],
  arguments: {
    from: {
      kind: "positional",
      description: "the run: a folder, or postgres://user@host/database/name",
    },
    to: { kind: "positional", description: "where its copy goes: a new place, or a copy of it" },
    ...blobsArgument,
  },
  async run({ given, environment, output }) {
    const { blobs } = given;
    const from = storePlace(given.from, environment);
    const to = inBlobs(storePlace(given.to, environment), blobs, environment);
    const found = await storesIn(from);
    if (found.length === 0 || !(await hasStore(from))) await openStore(from);
    let [records, images] = [0, 0];
    // A fleet leaves the run alone until those within it are there, too.
    const held =
      found.length > 1 && isShared(to)
        ? await (await openStore(to, { copyOf: (await openStore(from)).recipe })).startWriting([])
        : undefined;
    try {
      for (const { name, place } of found) {
        const target = name === "" ? to : placeIn(to, name);
        const source = await openStore(place);
        const copy = await openStore(target, { copyOf: source.recipe });
        const copied = await copyRun(source, copy, {
          signal: environment.signal,
          onProgress: ({ step, records: so }) => output.progress(`${step}: ${so} records copied`),
        });
        records += copied.records;
        images += copied.images;
        if (!copied.isWhole) {
          const words = ["touchstone", "run", "copy", shownPlace(given.from), shownPlace(given.to)];
          if (blobs !== undefined) words.push("--blobs", blobs);
          throw new IncompleteError(`The copy to ${shownPlace(given.to)} was stopped`, {
            hint: `Go on with: ${shellWords(words)}`,
          });
        }
        await copyDocuments(place, target);
      }
    } finally {
      await held?.close();
    }
    const shown = shownPlace(given.to);
    output.result(
      `${shown} has the run: ${found.length === 1 ? "" : `${found.length} runs, `}` +
        `${records} records and ${images} images copied; the rest was there.`,
    );
    output.resultJson({
      from: shownPlace(given.from),
      to: shown,
      runs: found.length,
      records,
      images,
    });
    output.nextCommand(["run", "verify", shown]);
  },
});

/** Reports are made of records, which a copy has without being concluded anew; what people added is not. */
async function copyDocuments(from: string, to: string): Promise<void> {
  const added = [rubricsFile, labelsFile, excludedFile];
  for (const name of [reportPage, verdictFile, overviewFile, ...added]) {
    const text = await openDocuments(from).read(name);
    if (text !== undefined) await openDocuments(to).write(name, text);
  }
}
