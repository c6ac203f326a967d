import { resolve } from "node:path";
import { z } from "zod";
import { modelIdentity, paintInputs } from "../../../benchmarks/step-kind.js";
import { paintQueries, paintRefined } from "../../../benchmarks/stereotypes/audit-steps.js";
import { buildQueries, type Query } from "../../../benchmarks/stereotypes/queries.js";
import { askedFiles, askedQueries } from "../../../benchmarks/stereotypes/rubrics.js";
import type { JsonObject } from "../../../core/json.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { AnyRecord, RecordOf, RecordType } from "../../../core/records.js";
import type { AnyStep, Records, StepContext } from "../../../core/step.js";
import { hasStore, type NamedFrom, openStore, runPlace } from "../../../files/open-store.js";
import { doneRecord } from "../../../runs/make-record.js";
import { entriesOf, stepName } from "../../../runs/step-plan.js";
import { countText, pluralText } from "../../../views/number-text.js";
import { checkOut } from "../../command-line/out-path.js";
import { shellWords } from "../../command-line/shell-words.js";
import { type ChosenGenerator, chooseGenerator } from "../../models/generator-choice.js";
import type { Hosting } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import { wrap } from "../../terminal/wrap.js";
import {
  type FolderMatch,
  matchImages,
  refuseNoMatch,
  tellMatches,
  type WantedImage,
  wantedBy,
  writeWanted,
} from "../generate/folder-match.js";
import type { AuditPlan } from "./read-audit-config.js";

type Index = NonNullable<ChosenGenerator["index"]>;

/** Images that are made elsewhere, beside those that an audit wants of them. */
interface AuditedFolder {
  /** As the configuration names it after "folder:". */
  readonly folder: string;
  readonly index: Index;
  /** Images of the queries as they are. */
  readonly initial: FolderMatch;
  /** Images of refined prompts; none are wanted before queries were refined. */
  readonly refined: FolderMatch;
}

/**
 * The folders among an audit's generators, and what they lack. Nothing is written: where there is no run
 * yet, the queries are those that it will have.
 *
 * @param run the folder of the run, as the user named it
 */
export async function auditedFolders(
  {
    config,
    queries,
  }: {
    readonly config: Pick<AuditPlan["config"], "images" | "seed" | "queriesPerCategory">;
    readonly queries: readonly Query[];
  },
  {
    generators,
    run,
    environment,
  }: {
    readonly generators: readonly ChosenGenerator[];
    readonly run: string;
    readonly environment: NamedFrom;
  },
): Promise<AuditedFolder[]> {
  const { images, seed, queriesPerCategory: count } = config;
  const own = generators.flatMap(({ generator, index }) =>
    index === undefined ? [] : [{ generator, index }],
  );
  if (own.length === 0) return [];
  const ahead = await recordsAhead(buildQueries({ queries, seed, count }));
  const place = runPlace(run, environment);
  const records = (await hasStore(place)) ? await openStore(place, { mayLack: true }) : ahead;
  return Promise.all(
    own.map(async ({ generator, index }) => {
      const painted = { generator, images, seed };
      const initial = await matchImages(index, wantedBy([paintQueries(painted)], ahead));
      const refined = await matchImages(index, wantedBy([paintRefined(painted)], records));
      return { folder: generator.identity.model, index, initial, refined };
    }),
  );
}

const painting = z.object({ generator: modelIdentity, seed: z.int(), images: z.int() });

/** The same for an audit that its recipe describes. */
export async function foldersOfRun(
  { recipe }: Pick<RecordStore, "recipe">,
  {
    run,
    hosting,
    environment,
  }: { readonly run: string; readonly hosting: Hosting; readonly environment: NamedFrom },
): Promise<AuditedFolder[]> {
  const build = recipe.steps.find(({ name }) => name === "build-queries");
  const { categories } = z.object({ categories: z.array(z.string()) }).parse(build?.parameters);
  const files = askedFiles(recipe);
  const found = recipe.steps.flatMap(({ name, parameters, inputs }) => {
    const step = painting.safeParse(parameters).data;
    return name === "paint-queries" && step?.generator.provider === "folder"
      ? [{ ...step, ...paintInputs.parse(inputs ?? {}) }]
      : [];
  });
  const of = found.map(async ({ generator, images, seed, allowOutside }) => {
    const name = `folder:${generator.model}`;
    const generators = [
      await chooseGenerator(name, {
        hosting,
        ...(allowOutside === undefined ? {} : { allowOutside }),
      }),
    ];
    return auditedFolders(
      {
        config: { images, seed, queriesPerCategory: files.count },
        queries: askedQueries(files, categories),
      },
      { generators, run, environment },
    );
  });
  return (await Promise.all(of)).flat();
}

/** The images that folders lack, each of several by its name: of queries, then of refined prompts. */
export const missingImages = (folders: readonly AuditedFolder[]): WantedImage[] =>
  (["initial", "refined"] as const).flatMap((phase) =>
    folders.flatMap(({ folder, [phase]: { missing } }) =>
      folders.length < 2 ? missing : missing.map((one) => ({ ...one, folder })),
    ),
  );

/**
 * Says which images of its queries an audit finds in its folders.
 *
 * @param words the words after `touchstone` of the audit
 * @throws InputError where a folder has none.
 */
export function tellFolders(
  folders: readonly AuditedFolder[],
  { output, words }: { readonly output: Output; readonly words: readonly string[] },
): void {
  for (const { folder, index, initial, refined } of folders) {
    const name = `folder:${folder}`;
    const command = shellWords(["touchstone", ...words, "--wanted", "wanted.csv"]);
    refuseNoMatch(initial, { folder: name, command });
    // Before queries are refined nobody knows which images will be wanted.
    const extra = initial.extra.filter((file) => refined.extra.includes(file));
    tellMatches(
      { ...initial, extra: refined.wanted === 0 ? [] : extra },
      { index, folder: name, output },
    );
  }
}

/** Writes the images that an audit's folders lack as a table to generate them by, elsewhere. */
export async function listWanted(
  file: string,
  {
    folders,
    words,
    workingDirectory,
    output,
  }: {
    readonly folders: Parameters<typeof missingImages>[0];
    /** The words after `touchstone` of the audit itself. */
    readonly words: readonly string[];
    readonly workingDirectory: string;
    readonly output: Output;
  },
): Promise<void> {
  await checkOut(file, { inputs: [], workingDirectory });
  const missing = missingImages(folders);
  await writeWanted(resolve(workingDirectory, file), missing);
  const refined = missing.filter(isRefined).length;
  output.result(
    missing.length === 0
      ? `No image is missing: ${file} has no rows`
      : `${pluralText(missing.length, "image")} missing, ${countText(refined)} of them of refined ` +
          `prompts: ${file}\nGenerate each text, and save the image under its file_name in ${folders.length < 2 ? "the folder" : "its folder"}.`,
  );
  output.resultJson({ wanted: file, images: missing.length, refined });
  output.nextCommand(words);
}

/** Says how many images an audit lacks, and how it goes on. */
export function lackingText(missing: readonly WantedImage[], width: number): string[] {
  if (missing.length === 0) return [];
  const refined = missing.filter(isRefined).length;
  return [
    wrap(
      `${pluralText(missing.length, "image")} not there yet, ${countText(refined)} of them of refined ` +
        "prompts. --wanted lists them; once they are in the folder, the same command goes on.",
      width,
    ),
  ];
}

const isRefined = ({ place }: WantedImage): boolean => place.role === "refined";

const refuse = () => Promise.reject(new Error("Nothing is kept before there is a run"));
const idle: StepContext = {
  signal: new AbortController().signal,
  openPicture: refuse,
  readTruth: refuse,
  writeBlob: refuse,
  refer: refuse,
  writeTruth: refuse,
  trace() {},
};

/**
 * The records that a run's first step will have, before there is a run.
 *
 * @param typed asks no model, keeps nothing, and answers each of its tasks.
 */
async function recordsAhead(typed: AnyStep): Promise<Records> {
  // A step is handed only what it planned itself, so forgetting its types loses nothing.
  const step = typed as unknown as Parameters<typeof entriesOf>[0] & {
    perform(about: JsonObject, context: StepContext): Promise<object>;
  };
  const records: AnyRecord[] = [];
  for await (const { key, about } of entriesOf(step, recordsOf([]))) {
    const task = { type: step.produces, key, step: stepName(step), attempt: 1, about };
    records.push(doneRecord(task, await step.perform(about, idle)));
  }
  return recordsOf(records);
}

const recordsOf = (records: readonly AnyRecord[]): Records => ({
  async *ofType<Type extends RecordType>(type: Type) {
    yield* records.filter((record): record is RecordOf<Type> & AnyRecord => record.type === type);
  },
});
