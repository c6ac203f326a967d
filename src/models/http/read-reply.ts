import { readJson } from "../../core/read-json.js";
import { CallFailure, finalRefusal } from "./call-failure.js";
import { type ErrorBody, errorBody, isWebPage, saysAnything } from "./error-body.js";
import type { Reply } from "./exchange.js";
import { askedWait } from "./waits.js";

/** A reply and its bytes as text. */
export interface TextReply extends Reply {
  readonly text: string;
}

/** Parts of a call that say how its reply is read. */
export interface ReplyForm {
  /** Whether a member `error` belongs to the answer, as it tells how some other work went. */
  readonly mayHoldError?: boolean;
  /**
   * Makes one reply of the events of a stream, which some servers send unasked; `undefined` where it broke
   * off. Where not given, a stream is a faulty reply.
   *
   * @param isWhole whether `[DONE]` ends it
   */
  ofStream?(events: readonly unknown[], isWhole: boolean): unknown;
  /** Makes JSON of a reply that is an image. Where not given, such a reply is faulty. */
  ofImage?(bytes: Uint8Array, headers: Headers): unknown;
}

/**
 * The JSON of a reply.
 *
 * @param now milliseconds since 1970, to which a wait that the provider asks for is counted
 * @throws CallFailure for a status that is none of success, an error within a reply and what is no JSON.
 */
export function readReply(
  reply: TextReply,
  { mayHoldError = false, ofStream, ofImage }: ReplyForm,
  now: number,
): unknown {
  const { status, headers, bytes, text } = reply;
  if (status < 200 || status >= 300) throw statusFailure(reply, status, now);
  if (ofImage !== undefined && /^image\//i.test(headers.get("content-type") ?? "")) {
    return ofImage(bytes, headers);
  }
  const json = jsonOf(text, ofStream);
  const held = Array.isArray(json) && json.length === 1 ? json[0] : json;
  if (!mayHoldError && isObject(held) && "error" in held && saysAnything(held.error)) {
    throw errorWithin({ ...reply, text: JSON.stringify(held) }, now);
  }
  return json;
}

const isObject = (json: unknown): json is object => typeof json === "object" && json !== null;

/**
 * How servers say 500 of a request that does not fit: pydantic's beginning, Go's, a chat template that refuses
 * a role, log-probabilities that are not there, an image that the model has no eyes for.
 */
const misfit =
  /^\d+ validation errors?\b|chat template|jinja|\broles?\b|\bsystem (role|message|prompt)|log_?probs?\b|\bunsupported\b|n[o']t support|cannot unmarshal/i;
/** How servers say 400 and the like of a call that would pass later: they are busy (Bedrock, Groq). */
const busy = /throttl|too many requests|capacity.?exceeded|overloaded|please wait before/i;
/** How they say it where their model went away (LM Studio). */
const down = /\bmodel (has |is )?(crashed|unloaded)/i;
/** Statuses of a call that met another, came too early, or was lost behind a gateway. */
const passing = [409, 424, 425, 499];

/** The status that a refusal means: asked again, llama-cpp-python and llama.cpp say the same after a 500. */
function statusMeant(said: number, { message, code = "" }: ErrorBody): number {
  if (said === 500 && misfit.test(message)) return 422;
  if (passing.includes(said)) return 503;
  if (said !== 400 && said !== 498) return said;
  if (busy.test(code) || busy.test(message)) return 429;
  return down.test(message) ? 503 : said;
}

function statusFailure(reply: TextReply, said: number, now: number): CallFailure {
  const body = errorBody(reply.text);
  const { message, code } = body;
  const status = statusMeant(said, body);
  const wait = askedWait(reply, now);
  // Who is busy may name the model or the key in passing; its code alone is meant so.
  const isBusy = status === 408 || status === 429 || status >= 500;
  const words = isBusy && !/insufficient|credit|budget|欠费|余额不足/i.test(message) ? "" : message;
  return new CallFailure("status", `HTTP ${said}: ${message}`, {
    status,
    providerCode: code,
    wait,
    final: wait === undefined ? finalRefusal({ code, message: words }) : undefined,
  });
}

/** An error under a status of success: its own status counts, where it has one. */
function errorWithin(reply: TextReply, now: number): CallFailure {
  const { message, code, status } = errorBody(reply.text);
  if (status !== undefined) return statusFailure(reply, status, now);
  const wait = askedWait(reply, now);
  if (wait !== undefined) return statusFailure(reply, 429, now);
  return new CallFailure("faulty-reply", `an error in place of an answer: ${message}`, {
    providerCode: code,
    final: finalRefusal({ code, message }),
  });
}

function jsonOf(text: string, ofStream: ReplyForm["ofStream"]): unknown {
  try {
    if (ofStream === undefined || !/^\s*(data|event|id|retry)?:/.test(text)) return readJson(text);
    const reply = ofStream(eventsIn(text), /^data:\s*\[DONE\]\s*$/m.test(text));
    if (reply !== undefined) return reply;
    throw new SyntaxError("The stream broke off");
  } catch (cause) {
    const isPage = isWebPage(text);
    const what = isPage
      ? `${errorBody(text).message} instead of JSON; is the base URL right?`
      : "a reply that is no JSON, or was cut short";
    throw new CallFailure("faulty-reply", what, { isBilled: !isPage && text.trim() !== "", cause });
  }
}

/** The JSON of server-sent events, without the `[DONE]` that ends them. */
const eventsIn = (text: string): unknown[] =>
  text
    .split(/\r?\n/)
    .flatMap((line) => /^data:\s*(.*?)\s*$/.exec(line)?.[1] ?? [])
    .filter((data) => data !== "" && data !== "[DONE]")
    .map(readJson);
