import { fileURLToPath } from "node:url";
import { auditSteps } from "../../../benchmarks/stereotypes/index.js";
import type { LabExperiment } from "../../../lab/lab-experiment.js";
import { hostingFor } from "../../models/hosting.js";
import { chooseAuditedGenerators, chooseAuditModels } from "../audit/audit-models.js";
import { readAuditConfig } from "../audit/read-audit-config.js";
import type { ChapterOptions } from "./collect-chapter.js";

const configuration = fileURLToPath(
  new URL("../../../../data/lab/demo-stereotypes.yaml", import.meta.url),
);

/** Queries of each category in sizes below the full one, which has what the configuration says. */
const fewerQueries: ReadonlyMap<string, number> = new Map([
  ["small", 2],
  ["medium", 6],
]);

/** The stereotype audit of the lab's skewed painters, as `data/lab/demo-stereotypes.yaml` has it. */
export async function auditExperiment(
  options: Pick<ChapterOptions, "size" | "seed" | "environment">,
): Promise<LabExperiment> {
  const plan = await readAuditConfig({
    file: configuration,
    workingDirectory: options.environment.workingDirectory,
  });
  const hosting = hostingFor({
    variables: {},
    workingDirectory: options.environment.workingDirectory,
    runtime: options.environment.runtime,
  });
  const generators = await chooseAuditedGenerators(plan, { hosting });
  const models = await chooseAuditModels(plan, { generators, hosting });
  const { mode, images, unit, trials, queriesPerCategory } = plan.config;
  const steps = auditSteps({
    queries: plan.queries,
    rubrics: plan.rubrics,
    ...models,
    generators: generators.map(({ generator }) => generator),
    mode,
    images,
    unit,
    trials,
    seed: options.seed,
    count: fewerQueries.get(options.size) ?? queriesPerCategory,
  });
  return { steps, models: models.names };
}
