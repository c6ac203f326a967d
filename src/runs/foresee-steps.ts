import type { RecordType } from "../core/records.js";
import { type AnyStep, type Records, stepId } from "../core/step.js";
import { asksNobody, foresee, type PerformingStep, type StepSession } from "./run-step.js";
import { surveyPlan } from "./step-plan.js";

/**
 * Tells of steps that may ask nothing, as far as what they plan from is there.
 *
 * @param lacking types of records that steps before them still have to make
 */
export async function foreseeSteps(
  steps: readonly AnyStep[],
  {
    sessionOf,
    lacking,
  }: { readonly sessionOf: (step: AnyStep) => StepSession; readonly lacking: RecordType },
): Promise<void> {
  const missing = new Set<RecordType>([lacking]);
  for (const typed of steps) {
    const step = typed as unknown as PerformingStep;
    const session = sessionOf(typed);
    const asked = new Set<RecordType>();
    const records: Records = {
      ofType(type) {
        asked.add(type);
        return session.records.ofType(type);
      },
    };
    const { onEvent, writer, signal } = session;
    const stored = await writer.openStep(stepId(typed));
    try {
      const survey = await surveyPlan(step, { records, stored, signal });
      const { planned: total, wanted } = stored;
      const isForeseen = ![...asked].some((type) => missing.has(type));
      if (isForeseen) {
        const found = await foresee(step, { session, stored, survey });
        const counts = {
          total,
          reused: total - wanted,
          reusedUnscored: {},
          isFree: asksNobody(step),
        };
        const forecast = found === undefined ? {} : { forecast: found };
        onEvent({ kind: "step-planned", step: stepId(typed), ...counts, ...forecast });
      } else onEvent({ kind: "step-unforeseen", step: stepId(typed) });
      if (!isForeseen || wanted > 0) missing.add(step.produces);
    } finally {
      await stored.close();
    }
  }
}
