import { keyOf } from "../../src/core/keys.js";
import { anyRecord, type RecordOf } from "../../src/core/records.js";

/** Members in which a score without an answer differs from one with 0.5. */
export const timedOut = { status: "unscored", reason: "timeout", retryable: true, detail: "" };

/** A score of the step `score`, as a reader of records gets it. */
export const scoreRecord = (text: string, more: object = {}): RecordOf<"score"> =>
  anyRecord.parse({
    schema: 1,
    type: "score",
    key: keyOf(text),
    step: "score@1",
    attempt: 1,
    of: keyOf("image"),
    image: "0".repeat(64),
    text,
    metric: "a",
    metricVersion: 1,
    statistic: "cosine",
    model: "lab:judge",
    range: [-1, 1],
    direction: "higher",
    trial: 0,
    status: "done",
    ...("status" in more ? {} : { value: 0.5 }),
    ...more,
  }) as RecordOf<"score">;
