import { dirname, relative, resolve } from "node:path";
import {
  loadQueries,
  loadRubrics,
  type Query,
  type Rubric,
} from "../../../benchmarks/stereotypes/index.js";
import { loadJudgeWording } from "../../../benchmarks/stereotypes/judge-wording.js";
import { ofPaper } from "../../../benchmarks/stereotypes/packaged.js";
import { readRefineWording } from "../../../benchmarks/stereotypes/refine-data.js";
import { InputError } from "../../../core/errors.js";
import { fileError } from "../../../files/file-error.js";
import { type LinedYaml, linedYaml } from "../../../files/lined-yaml.js";
import { readTextFile } from "../../../files/regular-file.js";
import type { RefineWording } from "../../../judges/refine-message.js";
import type { RubricWording } from "../../../judges/rubric-message.js";
import { type AuditConfig, auditConfigSchema } from "./audit-config-schema.js";

/** Fills in defaults where a configuration says nothing. */
const settled = (config: AuditConfig) => ({
  ...config,
  mode: config.mode ?? "verbatim",
  images: config.images ?? 4,
  unit: config.unit ?? "set",
  trials: config.trials ?? 1,
  seed: config.seed ?? 0,
});

/** A configuration with everything that it names read and checked. */
export interface AuditPlan {
  readonly config: ReturnType<typeof settled>;
  readonly queries: readonly Query[];
  readonly rubrics: ReadonlyMap<string, Rubric>;
  /** Words of one's own, or of the paper. */
  readonly wording: {
    readonly judge: RubricWording | undefined;
    readonly refiner: RefineWording | undefined;
  };
}

/**
 * Reads the configuration of an audit, and the queries and rubrics that it names.
 *
 * @param given.queries a file of queries in place of the configuration's, from the working directory
 * @throws InputError that lists every problem with its file and line; no model is asked.
 */
export async function readAuditConfig({
  file,
  queries,
  rubrics,
  workingDirectory,
}: {
  readonly file: string;
  readonly queries?: string | undefined;
  readonly rubrics?: string | undefined;
  readonly workingDirectory: string;
}): Promise<AuditPlan> {
  const path = resolve(workingDirectory, file);
  const read = linedYaml(file, await textOf(path, file), auditConfigSchema);
  const { value } = read;
  const sourceOf = async (given: string | undefined, named: string | undefined, paper?: string) => {
    if (paper !== undefined && (given ?? named) === "paper") return ofPaper(paper);
    const found =
      given === undefined
        ? named === undefined
          ? undefined
          : resolve(dirname(path), named)
        : resolve(workingDirectory, given);
    if (found === undefined) return undefined;
    const shown = relative(workingDirectory, found);
    return { file: shown, text: await textOf(found, shown) };
  };
  const allQueries = loadQueries(await sourceOf(queries, value.queries));
  const ownRubrics = await sourceOf(rubrics, value.rubrics, "ssi-table-2.yaml");
  const judge = await sourceOf(undefined, value.wording?.judge, "ssi-table-a1.yaml");
  const refiner = await sourceOf(undefined, value.wording?.refiner, "ssi-table-a2.yaml");
  const allRubrics = loadRubrics(ownRubrics);
  const wanted = allQueries.filter(({ category }) => value.categories?.includes(category) ?? true);
  const problems = [...idleMembers(read, allQueries), ...withoutRubric(wanted, allRubrics)];
  if (problems.length > 0) {
    throw new InputError(`Expected another audit in ${file}`, { problems });
  }
  return {
    config: settled(value),
    queries: wanted,
    rubrics: allRubrics,
    wording: {
      judge: judge && loadJudgeWording(judge),
      refiner: refiner && readRefineWording(refiner),
    },
  };
}

const textOf = (path: string, shown: string): Promise<string> =>
  readTextFile(path).catch((error: unknown) => {
    throw fileError(error, "read", shown);
  });

/** A setting that would change nothing is an error, not a silence. */
function idleMembers(
  { value, lineOf }: LinedYaml<AuditConfig>,
  queries: readonly Query[],
): string[] {
  const problems: string[] = [];
  if (value.refiner === undefined) {
    if (value.wording?.refiner !== undefined) {
      problems.push(`${lineOf(["wording"])}: wording.refiner: expected a refiner beside it`);
    }
    for (const name of ["mode", "similarity"] as const) {
      if (value[name] === undefined) continue;
      problems.push(`${lineOf([name])}: ${name}: expected a refiner beside it`);
    }
  } else if (value.similarity !== undefined && value.mode !== "meaning") {
    problems.push(`${lineOf(["similarity"])}: similarity: expected mode meaning beside it`);
  }
  const known = [...new Set(queries.map(({ category }) => category))];
  for (const [at, name] of (value.categories ?? []).entries()) {
    if (known.includes(name)) continue;
    problems.push(
      `${lineOf(["categories", at])}: categories: there are no queries of ${name}; there are ${known.join(", ")}`,
    );
  }
  return problems;
}

function withoutRubric(queries: readonly Query[], rubrics: ReadonlyMap<string, Rubric>): string[] {
  const known = [...rubrics.keys()].join(", ");
  // The first of each stays.
  const first = new Map([...queries].reverse().map(({ rubric, place }) => [rubric, place]));
  return [...first].flatMap(([rubric, place]) =>
    rubrics.has(rubric) ? [] : [`${place}: there is no rubric ${rubric}; there are ${known}`],
  );
}
