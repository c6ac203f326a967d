import { z } from "zod";
import { InputError } from "../../core/errors.js";
import {
  type ChatModel,
  type ChatReply,
  type ImageGenerator,
  type Model,
  type Placed,
  placed,
  type VisualQuestionAnswering,
} from "../../core/models.js";
import type { RecordStore } from "../../core/record-store.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";
import { NoAnswer } from "../../core/unscored.js";
import { chatReply, wireReply } from "../openai-compatible/chat-reply.js";

const notInRecording = (what: string) =>
  new NoAnswer("not-applicable", `${what} is not in the recording`);

/**
 * A model that answers from a run's records, without being asked anew: P(yes) by image and question, replies by
 * image and the question in the request. What had no answer has none again, for the same reason.
 *
 * @param directory the folder of the run
 * @param model which of the run's models, by `provider:model`, where it has several
 * @throws InputError where the run has no such model, or several and none is named; from its methods
 *   NoAnswer "not-applicable" for what is not in the recording.
 */
export async function recordedModel(
  directory: string,
  { model }: { readonly model?: string | undefined } = {},
): Promise<Model & Partial<VisualQuestionAnswering & ChatModel>> {
  const recordings = await readRecordings(await openRun(directory));
  const recording = chosen(recordings, { model, directory, what: "answers about images" });
  const { templates, probabilities, replies, failures } = recording;
  const failed = (image: string, asked: string) =>
    failures.get(image)?.find(({ text }) => asked.includes(text))?.error;
  return {
    identity: { provider: "recorded", model: recording.model },
    templates,
    ...(probabilities.size === 0
      ? {}
      : {
          async probabilityOfYes(image, questions, options) {
            options?.signal?.throwIfAborted();
            return questions.map((question) => {
              const probability = probabilities.get(askedKey(image.hash, question));
              if (probability !== undefined) return probability;
              throw failed(image.hash, question) ?? notInRecording(`"${question}" of this image`);
            });
          },
        }),
    ...(replies.size === 0
      ? {}
      : {
          async chat({ messages }, options) {
            options?.signal?.throwIfAborted();
            const parts = messages.flatMap((message) => message.parts);
            const text = parts
              .flatMap((part) => (part.type === "text" ? [part.text] : []))
              .join("\n");
            const images = parts.flatMap((part) =>
              part.type === "image" ? [part.image.hash] : [],
            );
            for (const image of images) {
              const found = replies.get(image)?.find(({ question }) => text.includes(question));
              if (found !== undefined) return found.reply;
              const failure = failed(image, text);
              if (failure !== undefined) throw failure;
            }
            throw notInRecording("This request");
          },
        }),
  };
}

/**
 * A generator that gives again the images of a run, by prompt and seed, or by prompt and place.
 *
 * @throws as `recordedModel`.
 */
export async function recordedGenerator(
  directory: string,
  { model }: { readonly model?: string | undefined } = {},
): Promise<ImageGenerator> {
  const run = await openRun(directory);
  const byModel = new Map<string, Map<string, RecordOf<"image">>>();
  for await (const image of run.ofType("image")) {
    const { model: name, text, seed, prompt, role, sample } = image;
    const images = byModel.get(name) ?? new Map<string, RecordOf<"image">>();
    byModel.set(name, images);
    images.set(JSON.stringify([text, seed]), image);
    images.set(JSON.stringify([text, prompt, role, sample]), image);
  }
  const recordings = [...byModel].map(([name, images]) => ({ model: name, images }));
  const { images, ...named } = chosen(recordings, { model, directory, what: "images" });
  return {
    identity: { provider: "recorded", model: named.model },
    async generate({ prompt, seed, place }, options) {
      options?.signal?.throwIfAborted();
      const { prompt: key, role, sample } = place ?? {};
      const found =
        images.get(JSON.stringify([prompt, seed])) ??
        images.get(JSON.stringify([prompt, key, role, sample]));
      if (found === undefined) throw notInRecording(`An image of "${prompt}" with this seed`);
      if (found.status === "unscored") {
        throw new NoAnswer(found.reason, found.detail, { retryable: found.retryable });
      }
      const { revisedPrompt } = found;
      const bytes = await run.blobs.read(found.image);
      return { bytes, ...(revisedPrompt === undefined ? {} : { revisedPrompt }) };
    },
  };
}

/** Opens a run; what reads one is loaded when it is first needed. */
async function openRun(directory: string) {
  const { openStore } = await import("../../files/open-store.js");
  return openStore(directory);
}

/** Whether a model is called so, with or without its revision and address. */
const isNamed = (name: string, called: string): boolean =>
  name === called || name.startsWith(`${called}@`) || name.startsWith(`${called} at `);

function chosen<Candidate extends { readonly model: string }>(
  candidates: readonly Candidate[],
  {
    model,
    directory,
    what,
  }: { readonly model: string | undefined; readonly directory: string; readonly what: string },
): Candidate {
  const names = candidates.map((candidate) => candidate.model);
  const fitting =
    model === undefined ? candidates : candidates.filter(({ model: name }) => isNamed(name, model));
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first;
  if (candidates.length === 0) {
    throw new InputError(`Expected a run with ${what} but ${directory} has none`);
  }
  const short = names.map((name) => name.replace(/@.*$/, ""));
  throw new InputError(
    model === undefined
      ? `Expected which model of ${directory} is meant: it holds ${names.join(", ")}`
      : `Expected a model of ${directory} (${names.join(", ")}) but received "${model}"`,
    { hint: `Such as recorded:${directory}@${short[0]}` },
  );
}

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

const askedKey = (image: string, question: string): string => JSON.stringify([image, question]);

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
async function readRecordings(run: RecordStore): Promise<readonly Recording[]> {
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
