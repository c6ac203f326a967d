import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  buildPairs,
  countFaults,
  type PreferenceRow,
  preferenceRows,
} from "../../../benchmarks/preference/index.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { makeFolder } from "../../../files/make-folder.js";
import { openStore } from "../../../files/open-store.js";
import { openPicture } from "../../../images/picture.js";
import { labPairs } from "../../../lab/preference-pairs.js";
import { faultCount } from "../../../lab/truth/fault-count.js";
import { runSteps } from "../../../runs/run-steps.js";
import { version } from "../../version.js";
import { paintedBy } from "../experiment/judge-lab-pairs.js";

/** A pair of painted images, by the names of their files. */
export interface PaintedPair
  extends Pick<PreferenceRow, "caption" | "preferred" | "wrongA" | "wrongB"> {
  readonly id: string;
  /** From the folder of the example. */
  readonly imageA: string;
  readonly imageB: string;
}

const seed = 20;

/** Paints pairs of images by the lab into `folder`/images: a better and a worse painter for each caption. */
export async function paintPairsInto(
  folder: string,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<readonly PaintedPair[]> {
  const work = await mkdtemp(join(tmpdir(), "touchstone-example-"));
  try {
    const run = await openStore(work, {
      create: { command: "touchstone example", seed, software: `touchstone ${version()}` },
    });
    const steps = [
      buildPairs({ source: labPairs, seed, count }),
      ...(await paintedBy(labPairs)),
      countFaults({ truth: faultCount }),
    ];
    await runSteps({ run, steps, openPicture, signal });
    const { rows } = await preferenceRows(run);
    await makeFolder(join(folder, "images"));
    const named = rows.map((row, at) => ({ row, id: `pair-${String(at + 1).padStart(2, "0")}` }));
    const pairs: PaintedPair[] = [];
    for (const { row, id } of named) {
      const [imageA, imageB] = [`images/${id}-a.png`, `images/${id}-b.png`];
      await writeFileAtomically(join(folder, imageA), await run.blobs.read(row.imageA));
      await writeFileAtomically(join(folder, imageB), await run.blobs.read(row.imageB));
      const { caption, preferred, wrongA, wrongB } = row;
      pairs.push({ id, caption, imageA, imageB, preferred, wrongA, wrongB });
    }
    return pairs;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
