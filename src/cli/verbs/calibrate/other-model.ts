import type { Answerer } from "../../../core/answered-by.js";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { type Model, placed, placedName } from "../../../core/models.js";
import type { Records } from "../../../core/step.js";
import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import { keeps } from "../../../models/contracts.js";

export const otherModelArgument = {
  kind: "switch",
  description:
    "accept answers of another model than the judge's, by the server's own word (a router, a local server " +
    "that answers with whatever is loaded)",
} as const;

/**
 * Who answered in the judgments of a run.
 *
 * @throws IncompleteError where several models answered: a judge is fitted to one.
 */
export async function answererIn(
  records: Records,
  { model, isAllowed }: { readonly model: Model; readonly isAllowed: boolean },
): Promise<Answerer> {
  const models = new Set<string>();
  const snapshots = new Set<string>();
  const asked = placedName(model.identity);
  for (const type of ["judgment", "image-judgment"] as const) {
    for await (const judgment of records.ofType(type)) {
      if (judgment.status !== "done" || placed(judgment) !== asked) continue;
      models.add((judgment.answeredBy ?? []).join(", "));
      for (const name of judgment.snapshots ?? []) snapshots.add(name);
    }
  }
  if (models.size > 1 && !isAllowed) {
    const names = [...models].map((name) => name || "the one asked").sort();
    throw new IncompleteError(
      `Expected answers of one model but received those of ${names.join(" and of ")}: nothing is fitted`,
      {
        hint:
          "The answers are kept. Let one model answer and calibrate with another --run, or give " +
          "--allow-other-model.",
      },
    );
  }
  return {
    answeredBy: [...models].filter((name) => name !== "").sort(),
    snapshots: [...snapshots].sort(),
  };
}

/**
 * The model as far as the one that was calibrated answers: what was measured holds for no other.
 *
 * @param judge who answered when it was calibrated; nobody named where that was the model itself
 * @param warn hears once where another snapshot of the model answers
 * @throws InputError, when asked, where another model answers.
 */
export function onlyCalibrated<Judging extends Model>(
  model: Judging,
  { answeredBy, snapshots = [] }: Pick<JudgeArtefact, "answeredBy" | "snapshots">,
  warn: (text: string) => void,
): Judging {
  if (!keeps(model, "ChatModel")) return model;
  const own = model.identity.model;
  const allowed = answeredBy ?? [own];
  const known = new Set(snapshots);
  return {
    ...model,
    async chat(...asked: Parameters<typeof model.chat>) {
      const reply = await model.chat(...asked);
      const { answeredBy: name = own, snapshot } = reply;
      if (snapshot !== undefined && snapshots.length > 0 && !known.has(snapshot)) {
        known.add(snapshot);
        warn(
          `The judge was calibrated with ${snapshots.join(" and ")}, and ${snapshot} answers: its error may ` +
            "have changed. Calibrate anew to know.",
        );
      }
      if (allowed.includes(name)) return reply;
      throw new InputError(
        `Expected answers of ${allowed.join(" or ")}, with which the judge was calibrated, but ${name} ` +
          "has answered",
        {
          hint:
            "What was measured holds for that model alone: see to it that the server answers with it, " +
            "calibrate anew, or give --allow-other-model.",
        },
      );
    },
  };
}
