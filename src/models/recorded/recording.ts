import { z } from "zod";
import { type ChatReply, type Placed, placed } from "../../core/models.js";
import type { RecordStore } from "../../core/record-store.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";
import { NoAnswer } from "../../core/unscored.js";
import { chatReply, wireReply } from "../openai-compatible/chat-reply.js";

/** Answers of a model as they were recorded in a run. */
export interface Recording {
  /** `provider:model@revision`, and where it was reached. */
  readonly model: string;
  /** The wording around texts, by metric. */
  readonly templates: Readonly<Record<string, string>>;
  /** P(yes) by image and question. */
  readonly probabilities: ReadonlyMap<string, number>;
  /** Replies by image, each with the question that it answers. */
  readonly replies: ReadonlyMap<
    string,
    readonly { readonly question: string; readonly reply: ChatReply }[]
  >;
  /** Images without an answer, and why. */
  readonly failures: ReadonlyMap<
    string,
    readonly { readonly text: string; readonly error: NoAnswer }[]
  >;
}

interface Growing {
  readonly templates: Record<string, string>;
  readonly probabilities: Map<string, number>;
  readonly replies: Map<string, { question: string; reply: ChatReply }[]>;
  readonly failures: Map<string, { text: string; error: NoAnswer }[]>;
}

type Score = RecordOf<"score">;

/** Asked on a part of an image, of which a run keeps no hash. */
const isLocalized = ({ metric }: Score) => metric.startsWith("localized-");

export const askedKey = (image: string, question: string): string =>
  JSON.stringify([image, question]);

const answers = z.object({
  questions: z.array(z.object({ question: z.string(), probability: z.number() })),
});
const noted = z.object({ key: z.string(), attempt: z.number(), kind: z.string() });
const yesNo = z.object({ question: z.string(), probability: z.number().min(0).max(1) });
const kept = z.object({
  text: z.string(),
  finish: z.enum(["stop", "length", "refused", "other"]),
  tokens: z.custom<NonNullable<ChatReply["tokens"]>>(Array.isArray).exactOptional(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).exactOptional(),
  answeredBy: z.string().exactOptional(),
});

/** Reads from the scores of a run each model that was asked about images, in order of appearance. */
export async function readRecordings(run: RecordStore): Promise<readonly Recording[]> {
  const byModel = new Map<string, Growing>();
  const scores = new Map<string, { readonly score: Score; readonly calls: unknown[] }>();
  for await (const score of run.ofType("score")) {
    const recording = recordingOf(byModel, score);
    if (score.template !== undefined) recording.templates[score.metric] = score.template;
    if (isLocalized(score)) continue;
    scores.set(score.key, { score, calls: [] });
    if (score.status === "done") {
      for (const [question, probability] of saidBy(score)) {
        const key = askedKey(score.image, question);
        // A probability itself is exact; what was computed from one may differ in its last digit.
        if (score.statistic === "P(yes)" || !recording.probabilities.has(key)) {
          recording.probabilities.set(key, probability);
        }
      }
    } else {
      const { image, text, reason, retryable, detail } = score;
      add(recording.failures, image, { text, error: new NoAnswer(reason, detail, { retryable }) });
    }
  }
  for await (const entry of run.trace()) {
    const { data } = noted.safeParse(entry);
    const known = data === undefined ? undefined : scores.get(data.key);
    if (data === undefined || known === undefined || data.attempt !== known.score.attempt) continue;
    if (data.kind === "yes-no") {
      const said = yesNo.safeParse(entry).data;
      if (said === undefined) continue;
      const key = askedKey(known.score.image, said.question);
      recordingOf(byModel, known.score).probabilities.set(key, said.probability);
    }
    if (data.kind === "model-call") known.calls.push(entry);
  }
  for (const { score, calls } of scores.values()) {
    const reply = calls.length === 1 ? replyOf(calls[0]) : undefined;
    if (reply === undefined || score.status !== "done" || score.question === undefined) continue;
    const { question } = score;
    add(recordingOf(byModel, score).replies, score.image, { question, reply });
  }
  return [...byModel].flatMap(([model, recording]) => {
    const { probabilities, replies, failures } = recording;
    // Others, such as the truth check, were asked nothing about images.
    const hasSpoken = probabilities.size + replies.size + failures.size > 0;
    return hasSpoken ? [{ model, ...recording }] : [];
  });
}

function recordingOf(byModel: Map<string, Growing>, model: Placed): Growing {
  const name = placed(model);
  const recording = byModel.get(name) ?? {
    templates: {},
    probabilities: new Map(),
    replies: new Map(),
    failures: new Map(),
  };
  byModel.set(name, recording);
  return recording;
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key) ?? [];
  list.push(value);
  lists.set(key, list);
}

/** The probabilities of yes that a score is, or was made of. */
function saidBy(score: DoneRecord<"score">): [question: string, probability: number][] {
  const { question, statistic, value, details } = score;
  const listed = answers.safeParse(details).data?.questions ?? [];
  const said = listed.map((one): [string, number] => [one.question, one.probability]);
  if (question === undefined) return said;
  if (statistic === "P(yes)") said.push([question, value]);
  if (statistic === "1 + 9 P(yes)") said.push([question, (value - 1) / 9]);
  return said;
}

/** A reply as it came from a server, or as a cache kept it. */
function replyOf(entry: unknown): ChatReply | undefined {
  const reply = z.object({ reply: z.unknown() }).safeParse(entry).data?.reply;
  const own = kept.safeParse(reply).data;
  if (own !== undefined) return own;
  try {
    return chatReply(wireReply(reply));
  } catch {
    // What was no reply then is none now.
    return undefined;
  }
}
