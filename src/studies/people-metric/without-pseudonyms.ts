import { canonicalJson, type JsonObject } from "../../core/json.js";
import { peopleBehind } from "./people-metric.js";

/**
 * A record as anybody may see it: a score by people says what was answered, not who did. Answers are sorted
 * anew, so that their order says nothing either; what is no such score stays as it is.
 */
export function withoutPseudonyms(record: unknown): unknown {
  if (typeof record !== "object" || record === null || !("details" in record)) return record;
  const details = record.details as JsonObject | undefined;
  const people = peopleBehind(details);
  if (people.length === 0) return record;
  const answers = people
    .map(({ item, value }) => ({ item, value }))
    .sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  return { ...record, details: { ...details, people: answers } };
}
