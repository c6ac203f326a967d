import { fileURLToPath } from "node:url";
import type { LabExperiment } from "../../../lab/lab-experiment.js";
import { hostingFor } from "../../models/hosting.js";
import { chooseAuditedGenerators, chooseAuditModels, plannedSteps } from "../audit/audit-models.js";
import { readAuditConfig } from "../audit/read-audit-config.js";
import type { ExperimentOptions } from "./collect-chapter.js";

const configuration = fileURLToPath(
  new URL("../../../../data/lab/demo-stereotypes.yaml", import.meta.url),
);

/** Queries of each category in sizes below the full one, which has what the configuration says. */
const fewerQueries: ReadonlyMap<string, number> = new Map([
  ["small", 2],
  ["medium", 6],
]);

/** The stereotype audit of the lab's skewed painters, as `data/lab/demo-stereotypes.yaml` has it. */
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
