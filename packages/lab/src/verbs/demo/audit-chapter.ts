import { fileURLToPath } from "node:url";
import { hostingFor } from "touchstone-t2i/internal/cli/models/hosting.js";
import {
  chooseAuditedGenerators,
  chooseAuditModels,
  plannedSteps,
} from "touchstone-t2i/internal/cli/verbs/audit/audit-models.js";
import { readAuditConfig } from "touchstone-t2i/internal/cli/verbs/audit/read-audit-config.js";
import type { LabExperiment } from "../../lab-experiment.js";
import { packageFile } from "../../package-file.js";
import type { ExperimentOptions } from "./collect-chapter.js";

const configuration = fileURLToPath(packageFile("data/demo-stereotypes.yaml"));

/** Queries of each category in sizes below the full one, which has what the configuration says. */
const fewerQueries: ReadonlyMap<string, number> = new Map([
  ["small", 2],
  ["medium", 6],
]);

/** The stereotype audit of the lab's skewed painters, as `data/demo-stereotypes.yaml` has it. */
export async function auditExperiment(options: ExperimentOptions): Promise<LabExperiment> {
  const plan = await readAuditConfig({
    file: configuration,
    workingDirectory: options.environment.workingDirectory,
  });
  const { workingDirectory } = options.environment;
  const hosting = hostingFor({ variables: {}, workingDirectory }, { runtime: options.runtime });
  const generators = await chooseAuditedGenerators(plan, { hosting });
  const models = await chooseAuditModels(plan, { generators, hosting });
  const count = fewerQueries.get(options.size) ?? plan.config.queriesPerCategory;
  const steps = plannedSteps(plan, { models, generators, seed: options.seed, count });
  return { steps, models: models.names };
}
