import { IncompleteError, InputError } from "../../../core/errors.js";
import { type Model, placed, placedName } from "../../../core/models.js";
import type { Records } from "../../../core/step.js";
import { keeps } from "../../../models/contracts.js";

export const otherModelArgument = {
  kind: "switch",
  description:
    "accept answers of another model than the judge's, by the server's own word (a router, a local server " +
    "that answers with whatever is loaded)",
} as const;

/**
 * The models that answered in place of the one asked, in the judgments of a run; none where it was itself.
 *
 * @throws IncompleteError where several models answered: a judge is fitted to one.
 */
export async function answerersIn(
  records: Records,
  { model, isAllowed }: { readonly model: Model; readonly isAllowed: boolean },
): Promise<string[]> {
  const found = new Set<string>();
  const asked = placedName(model.identity);
  for (const type of ["judgment", "image-judgment"] as const) {
    for await (const judgment of records.ofType(type)) {
      if (judgment.status !== "done" || placed(judgment) !== asked) continue;
      found.add((judgment.answeredBy ?? []).join(", "));
    }
  }
  if (found.size > 1 && !isAllowed) {
    const names = [...found].map((name) => name || "the one asked").sort();
    throw new IncompleteError(
      `Expected answers of one model but received those of ${names.join(" and of ")}: nothing is fitted`,
      {
        hint:
          "The answers are kept. Let one model answer and calibrate with another --run, or give " +
          "--allow-other-model.",
      },
    );
  }
  return [...found].filter((name) => name !== "").sort();
}

/**
 * The model as far as the one that was calibrated answers: what was measured holds for no other.
 *
 * @param judge.answeredBy who answered when it was calibrated; not given where that was the model itself
 * @throws InputError, when asked, where another answers.
 */
export function onlyCalibrated<Judging extends Model>(
  model: Judging,
  { answeredBy }: { readonly answeredBy?: readonly string[] },
): Judging {
  if (!keeps(model, "ChatModel")) return model;
  const own = model.identity.model;
  const allowed = answeredBy ?? [own];
  return {
    ...model,
    async chat(...asked: Parameters<typeof model.chat>) {
      const reply = await model.chat(...asked);
      const { answeredBy: name = own } = reply;
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
