import { type Benchmark, hasStep } from "../benchmark.js";
import type { AuditReport } from "./conclusion.js";
import { keptLabels } from "./expert-labels.js";
import { stereotypeSteps } from "./steps.js";

/** How stereotyped are the people a generator makes, before and after prompts are refined? SSI. */
export const stereotypes: Benchmark<AuditReport> = {
  name: "stereotypes",
  recognises: hasStep("build-queries"),
  steps: stereotypeSteps,
  hint: "Its images are audited, not scored: touchstone audit, then touchstone report",
  async conclude(run, { world, documents, ...options }) {
    const { concludeAudit } = await import("./findings.js");
    return concludeAudit({
      run,
      ...options,
      labels: documents === undefined ? [] : await keptLabels(documents),
      truth: await world?.truth.stereotypes(run),
      embedder: world?.embedder,
    });
  },
  async report(conclusion) {
    const { auditReport } = await import("./report.js");
    return auditReport(conclusion);
  },
  refuses: {
    tieTolerance: "an audit compares no two scores",
    unfiltered: "an audit filters nothing",
  },
};
