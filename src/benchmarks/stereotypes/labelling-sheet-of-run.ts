import { InputError } from "../../core/errors.js";
import { keyOf } from "../../core/keys.js";
import { placed } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";
import { openPicture } from "../../images/picture.js";
import { type Thumbnail, thumbnail } from "../../images/thumbnail.js";
import type { ReportedRun } from "../run-records.js";

/** A question about a set of images, as the judge was asked it. */
export interface LabelledItem {
  readonly item: string;
  readonly asks: string;
  readonly definition: string;
  readonly present: string;
  readonly absent: string;
}

/** Images to be looked at together. It says nothing of who made them, and of what prompt. */
export interface LabelledSet {
  readonly id: string;
  readonly query: string;
  readonly rubric: string;
  /** In the order of the judge's first trial. */
  readonly images: readonly Thumbnail[];
}

export interface LabellingSheet {
  /** Names the sheet in answers and in the browser's memory. */
  readonly sheet: string;
  readonly title: string;
  /** The notice that every reader of an audit is given. */
  readonly notice: string;
  /** Who labels; asked for where it is not given. */
  readonly expert?: string | undefined;
  readonly rubrics: Readonly<Record<string, readonly LabelledItem[]>>;
  readonly sets: readonly LabelledSet[];
}

/** Name of a set on a sheet: nothing of who made it can be read off it. */
export const blindName = ({ key }: Pick<RecordOf<"audit">, "key">): string =>
  keyOf(["labelling sheet", key]).slice(0, 12);

/** Pixels of the longer side, the first that keeps the sheet within its bytes. */
const sides = [512, 384, 256, 192, 128];

export interface SheetOptions {
  /** The name of the sheet. */
  readonly title: string;
  readonly notice: string;
  readonly expert?: string | undefined;
  /** How many sets of images. */
  readonly sets: number;
  readonly seed: number;
  readonly itemsOf: (
    asked: Pick<RecordOf<"audit">, "rubric" | "rubricRevision">,
  ) => readonly LabelledItem[] | undefined;
  /** The images together may have so many. */
  readonly mostBytes?: number;
}

/**
 * A blinded labelling sheet of a stratified sample of an audit's sets. Images are made anew, so that
 * nothing that a file says of its maker goes along.
 *
 * @throws InputError where the run has no audited set, a rubric lacks an item that was asked, or the
 *   images of so many sets would not fit.
 */
export async function labellingSheetOf(
  run: ReportedRun,
  { title, notice, expert, sets, seed, itemsOf, mostBytes = 24e6 }: SheetOptions,
): Promise<LabellingSheet> {
  const audits: RecordOf<"audit">[] = [];
  for await (const audit of run.ofType("audit")) audits.push(audit);
  const sample = auditSample(audits, { sets, seed });
  if (sample.length === 0) {
    throw new InputError(
      `Expected a run with audited images but received ${run.place}, which has none`,
      { hint: "Make one: touchstone audit CONFIG --run DIR" },
    );
  }
  const rubrics: Record<string, LabelledItem[]> = {};
  for (const audit of sample) {
    const known = itemsOf(audit) ?? [];
    rubrics[rubricOf(audit)] ??= audit.items.map((name) => {
      const found = known.find(({ item }) => item === name);
      if (found !== undefined) return found;
      throw new InputError(
        `Expected the item ${name}, which the judge was asked, in the rubric ${audit.rubric}`,
        { hint: "Give the rubrics that the audit was made with: --rubrics FILE" },
      );
    });
  }
  const images = await shrunk(
    run,
    [...new Set(sample.flatMap((audit) => audit.images))],
    mostBytes,
  );
  return {
    sheet: keyOf(["labelling sheet", ...sample.map(blindName)]).slice(0, 12),
    title,
    notice,
    expert,
    rubrics,
    sets: sample.map(
      (audit): LabelledSet => ({
        id: blindName(audit),
        query: audit.text,
        rubric: rubricOf(audit),
        images: audit.images.flatMap((hash) => images.get(hash) ?? []),
      }),
    ),
  };
}

/** A rubric's name alone, unless it was reworded between two audits of the run. */
const rubricOf = ({ rubric, rubricRevision }: RecordOf<"audit">) => `${rubric} ${rubricRevision}`;

type ImageHash = RecordOf<"audit">["images"][number];

/** All of them at the largest size at which they fit together. */
async function shrunk(
  { blobs }: ReportedRun,
  hashes: readonly ImageHash[],
  mostBytes: number,
): Promise<ReadonlyMap<ImageHash, Thumbnail>> {
  for (const side of sides) {
    const found = new Map<ImageHash, Thumbnail>();
    let bytes = 0;
    for (const hash of hashes) {
      const picture = await openPicture(await blobs.read(hash), hash);
      const made = await thumbnail(picture, { side, mostBytes: 0 });
      bytes += made.bytes.length;
      if (bytes > mostBytes) break;
      found.set(hash, made);
    }
    if (bytes <= mostBytes) return found;
  }
  throw new InputError(
    `Expected fewer images for one sheet but received ${hashes.length}, which do not fit`,
    { hint: "Request fewer sets: --sets 40" },
  );
}

/**
 * Sets of images for experts to label: as many as were asked for, as evenly as can be from every
 * category x generator x phase, drawn and then shuffled by the seed, so that their order tells
 * nothing. Only sets that the judge answered, in its first trial.
 *
 * @example auditSample(audits, { sets: 90, seed: 0 }).length // 90, or all there are
 */
function auditSample(
  audits: readonly RecordOf<"audit">[],
  { sets, seed }: { readonly sets: number; readonly seed: number },
): DoneRecord<"audit">[] {
  const strata = new Map<string, DoneRecord<"audit">[]>();
  for (const audit of audits) {
    if (audit.status !== "done" || audit.trial !== 0) continue;
    const { category, generator, generatorBaseUrl, phase } = audit;
    const painter = placed({ model: generator, baseUrl: generatorBaseUrl });
    const name = JSON.stringify([category, painter, phase]);
    strata.set(name, [...(strata.get(name) ?? []), audit]);
  }
  const random = randomFrom(seed, "expert sample");
  const left = random.shuffle(
    [...strata]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, own]) => randomFrom(seed, "expert sample", name).shuffle(own)),
  );
  const chosen: DoneRecord<"audit">[] = [];
  while (chosen.length < sets && left.some((stratum) => stratum.length > 0)) {
    for (const stratum of left) {
      const next = chosen.length < sets ? stratum.pop() : undefined;
      if (next !== undefined) chosen.push(next);
    }
  }
  return random.shuffle(chosen);
}
