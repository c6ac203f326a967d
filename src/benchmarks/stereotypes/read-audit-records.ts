import type { AuditRecords } from "../../analysis/stereotypes/audited-rows.js";
import { type ModelFacts, type ModelIdentity, type Placed, placedName } from "../../core/models.js";
import type { RecordOf, RecordType } from "../../core/records.js";
import { partNamed } from "../../core/step.js";
import type { ReportedRun } from "../run-records.js";

/** The records of a stereotype audit, all at once: some 2 kB each. */
export interface ReadAuditRecords extends AuditRecords {
  readonly scores: readonly RecordOf<"score">[];
}

export async function readAuditRecords(
  run: Pick<ReportedRun, "ofType">,
): Promise<ReadAuditRecords> {
  const all = async <Type extends RecordType>(type: Type) => {
    const found: RecordOf<Type>[] = [];
    for await (const record of run.ofType(type)) found.push(record);
    return found;
  };
  return {
    queries: await all("query"),
    images: await all("image"),
    refinements: await all("refinement"),
    audits: await all("audit"),
    scores: await all("score"),
  };
}

interface Painted {
  readonly generator: string;
  readonly generatorBaseUrl?: string | undefined;
}

/** The generator as records of audits and rewrites name it. */
export const generatorFacts = ({ model, baseUrl }: ModelFacts): Painted => ({
  generator: model,
  ...(baseUrl === undefined ? {} : { generatorBaseUrl: baseUrl }),
});

/** Tells whether a record is about images of this generator. */
export const isBy = (
  { model, baseUrl }: ModelFacts,
  { generator, generatorBaseUrl }: Painted,
): boolean => generator === model && generatorBaseUrl === baseUrl;

/** Tells whether a generator made an image. */
export const isOf = ({ model, baseUrl }: ModelFacts, image: Placed): boolean =>
  image.model === model && image.baseUrl === baseUrl;

/** Part of a step's name that distinguishes generators; it leaves the revision out. */
export const partOf = (generator: ModelIdentity): string =>
  partNamed([placedName(generator).replace(/@\S*/g, "")]);
