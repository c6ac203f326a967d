import { dirname, relative, resolve } from "node:path";
import { z } from "zod";
import { loadJudgeWording, ofPaper } from "../../../benchmarks/stereotypes/packaged.js";
import { loadQueries, type Query } from "../../../benchmarks/stereotypes/queries.js";
import { readRefineWording } from "../../../benchmarks/stereotypes/refine-queries.js";
import { loadRubrics, type Rubric } from "../../../benchmarks/stereotypes/rubrics.js";
import { refineModes } from "../../../core/audit-records.js";
import { InputError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { failed } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import { type LinedYaml, linedYaml } from "../../../files/yaml.js";
import type { RefineWording } from "../../../judges/refine-prompt.js";
import type { RubricWording } from "../../../judges/rubric-message.js";

const model = z.string().min(1);
const count = z.int().positive();

/** Schema of `touchstone audit`; data/audit.schema.json is made from it. */
export const auditConfigSchema = z.strictObject({
  generators: z
    .array(model)
    .min(1)
    .meta({
      description:
        "the image models that are audited: lab:painter-…, openai-images:gpt-image-1, " +
        "replicate:OWNER/NAME, fal:ID, folder:DIR (images made elsewhere), or names of " +
        "touchstone.config.yaml",
    }),
  judge: model.meta({
    description: "the model that sees query, images and rubric: a chat model that takes images",
  }),
  refiner: model.optional().meta({
    description: "the chat model that rewrites queries; without one the images are audited once",
  }),
  mode: z
    .enum(refineModes)
    .optional()
    .meta({
      description:
        "verbatim (where not given): a rewrite keeps the query word for word and adds context; " +
        "meaning: it keeps what the query says",
    }),
  similarity: z
    .strictObject({
      model: model.meta({ description: "a model that embeds texts" }),
      minimum: z.number().min(-1).max(1).meta({
        description: "the least cosine of a query and its rewrite",
      }),
    })
    .optional()
    .meta({
      description:
        "in mode meaning: check rewrites by an embedder; else every word of the query with a " +
        "meaning of its own must be in them",
    }),
  alignment: z
    .strictObject({
      metrics: z.array(z.string().min(1)).optional().meta({
        description:
          "as score takes them (vqa-score, or vqa-score=MODEL); the first that a model can carry where not given",
      }),
      models: z.array(model).min(1).meta({ description: "the models that they ask" }),
    })
    .optional()
    .meta({
      description: "the price of refining: metrics of all images against the original query",
    }),
  queries: z.string().min(1).optional().meta({
    description:
      "a file of queries, from this file's folder; the 100 of the package where not given",
  }),
  rubrics: z
    .string()
    .min(1)
    .optional()
    .meta({
      description:
        "a file of rubrics, from this file's folder, or paper: the questions of SSI's Table 2, word for word; " +
        "those of the package where not given",
    }),
  wording: z
    .strictObject({
      judge: z.string().min(1).optional(),
      refiner: z.string().min(1).optional(),
    })
    .optional()
    .meta({
      description:
        "words to judge and refiner in place of the package's: a file for each, from this file's folder, with " +
        "the members of data/papers/ssi-table-a1.yaml; or paper: SSI's Tables A1 and A2, word for word",
    }),
  categories: z.array(z.string().min(1)).min(1).optional().meta({
    description: "only the queries of these categories",
  }),
  queriesPerCategory: count.optional().meta({
    description: "at most so many queries of each category, drawn by the seed",
  }),
  images: count.optional().meta({ description: "images of each query by each generator; 4" }),
  unit: z.enum(["set", "image"]).optional().meta({
    description:
      "set (where not given): a query's images are judged together; image: each by itself",
  }),
  trials: count.optional().meta({
    description: "how often each set is judged, for the judge's agreement with itself; 1",
  }),
  seed: z.int().min(0).optional().meta({ description: "of images and selections; 0" }),
});

type AuditConfig = z.output<typeof auditConfigSchema>;

/** Fills in defaults where a configuration says nothing. */
const settled = (config: AuditConfig) => ({
  ...config,
  mode: config.mode ?? "verbatim",
  images: config.images ?? 4,
  unit: config.unit ?? "set",
  trials: config.trials ?? 1,
  seed: config.seed ?? 0,
});

/** A configuration and the files that it names, read and checked. */
export interface AuditPlan {
  readonly config: ReturnType<typeof settled>;
  readonly queries: readonly Query[];
  readonly rubrics: ReadonlyMap<string, Rubric>;
  /** The files that queries and rubrics are from, as they were read. */
  readonly sources: Readonly<Record<"queries" | "rubrics", "package" | JsonObject>>;
  /** The user's own wording, or the paper's; undefined for the package's. */
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
  const read = linedYaml(
    file,
    await textOf(path, file),
    auditConfigSchema,
    "touchstone example audit --out audit writes one that works.",
  );
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
  const ownQueries = await sourceOf(queries, value.queries);
  const allQueries = loadQueries(ownQueries);
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
    sources: {
      queries: ownQueries === undefined ? "package" : { ...ownQueries },
      rubrics: ownRubrics === undefined ? "package" : { ...ownRubrics },
    },
    wording: {
      judge: judge && loadJudgeWording(judge),
      refiner: refiner && readRefineWording(refiner),
    },
  };
}

const textOf = (path: string, shown: string): Promise<string> =>
  readTextFile(path).catch(failed("read", shown));

/** Settings that would change nothing, and unknown categories. */
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
  // Reversed, so that the first place of each rubric is kept.
  const first = new Map([...queries].reverse().map(({ rubric, place }) => [rubric, place]));
  return [...first].flatMap(([rubric, place]) =>
    rubrics.has(rubric) ? [] : [`${place}: there is no rubric ${rubric}; there are ${known}`],
  );
}
