import type { JsonObject } from "../../core/json.js";
import type { StudySettings } from "../config/study-config.js";
import type { ParticipantState } from "../home/study-state.js";

/**
 * Whether background answers let somebody in; else why not. A quota is full when so many with the
 * same answer were let in before.
 */
export function screened(
  settings: StudySettings,
  {
    answers,
    others,
  }: { readonly answers: JsonObject; readonly others: Iterable<ParticipantState> },
): "in" | "screened-out" | "quota-full" {
  const given = new Map(Object.entries(answers));
  for (const { name, accept } of settings.screening) {
    const answer = given.get(name);
    if (typeof answer !== "string" || !accept.includes(answer)) return "screened-out";
  }
  const admitted = [...others].filter(({ background }) => background !== undefined);
  for (const { name, quotas } of settings.screening) {
    const most = new Map(Object.entries(quotas ?? {})).get(String(given.get(name)));
    const alike = admitted.filter(({ background }) => background?.[name] === given.get(name));
    if (most !== undefined && alike.length >= most) return "quota-full";
  }
  return "in";
}
