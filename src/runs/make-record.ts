import type { Answerer } from "../core/answered-by.js";
import type { JsonObject } from "../core/json.js";
import type { Key } from "../core/keys.js";
import { recordSchemaVersion } from "../core/record-schema.js";
import { type AnyRecord, checkedRecord, type RecordType } from "../core/records.js";
import { NoAnswer } from "../core/unscored.js";

/** Members that every ending of a task has in common. */
export interface Task extends Partial<Answerer> {
  readonly type: RecordType;
  readonly key: Key;
  /** `name@version`. */
  readonly step: string;
  /** Part of a step that has several. */
  readonly part?: string;
  readonly attempt: number;
  readonly about: JsonObject;
}

/**
 * The record of a task that was answered. Members come in the order of the record's schema,
 * whatever the order in which the step named them, so that equal records are equal text. An
 * answer with a number that is not finite is no answer: the record says `unparsable`.
 *
 * @throws TypeError where the answer is not what the type of record takes: a fault of the step.
 */
export function doneRecord(task: Task, outcome: object): AnyRecord {
  const odd = notFinite(outcome);
  if (odd !== undefined) {
    const detail = `Expected a finite number for ${odd.name} but received ${odd.value}`;
    return unscoredRecord(task, new NoAnswer("unparsable", detail));
  }
  return checked(task, { ...outcome, status: "done" });
}

/** The record of a task without an answer. */
export function unscoredRecord(task: Task, { reason, retryable, message }: NoAnswer): AnyRecord {
  return checked(task, { status: "unscored", reason, retryable, detail: message });
}

function checked(
  { type, key, step, attempt, about, answeredBy = [], snapshots = [] }: Task,
  ending: object,
): AnyRecord {
  const parsed = checkedRecord({
    ...ending,
    ...about,
    schema: recordSchemaVersion,
    type,
    key,
    step,
    attempt,
    ...(answeredBy.length === 0 ? {} : { answeredBy }),
    ...(snapshots.length === 0 ? {} : { snapshots }),
  });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new TypeError(`Expected a record of type ${type} but received ${problems.join("; ")}`);
}

/** The first number, however deep, that JSON can't hold. */
function notFinite(value: unknown, name = ""): { name: string; value: number } | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { name, value };
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, inner] of Object.entries(value)) {
    const found = notFinite(inner, name === "" ? member : `${name}.${member}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
