import {
  type ChatReply,
  type ChatRequest,
  imagesOf,
  type ModelIdentity,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";

/** No side of an image is sent longer than this, in pixels, where the settings do not say. */
export const defaultLongestSide = 1024;

/** A chat model's name in records; a size of images that is not the usual one is part of it. */
export function chatIdentity({
  provider,
  model,
  revision,
  baseUrl,
  longestSide,
}: {
  readonly provider: string;
  readonly model: string;
  readonly revision: string | undefined;
  readonly baseUrl: string;
  readonly longestSide: number;
}): ModelIdentity {
  const size = longestSide === defaultLongestSide ? undefined : `side-${longestSide}`;
  const named = [revision, size].filter((part) => part !== undefined).join("+");
  return { provider, model, ...(named === "" ? {} : { revision: named }), baseUrl };
}

/** Who answered, where the reply names another model or a snapshot of the one that was asked. */
export function answerer(
  model: string,
  named: string | null | undefined,
): Pick<ChatReply, "answeredBy" | "snapshot"> {
  const relation = named ? namedModel(model, named) : "same";
  if (!named || relation === "same") return {};
  return relation === "other" ? { answeredBy: named } : { snapshot: named };
}

/** What a request asks about: its images, or its words where it has none. */
export function askedItem(request: ChatRequest): string {
  const images = imagesOf(request).map(({ hash }) => hash);
  const parts = request.messages.flatMap((message) => message.parts);
  return images.length > 0
    ? images.join(" ")
    : parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** Replies without the log-probabilities that were asked for, after which a model is asked for none. */
export const triesWithoutTokens = 3;

export const noLogProbabilities = (model: string, baseUrl: string) =>
  new NoAnswer(
    "not-applicable",
    `${model} at ${baseUrl} gives no log-probabilities of its tokens. Choose a model or server that ` +
      "does, or ask for sampled answers or a verbalized probability (yesNo in the settings; " +
      "calibrate --samples N)",
  );

/** Limits, in tokens, that leave room for a thought before an answer of a word or some JSON. */
export const tokenLimits = [0, 4096, 16_384] as const;

/** How the name in a reply relates to the name that was asked for. */
type NamedModel = "same" | "snapshot" | "other";

const month = "(?:0[1-9]|1[0-2])";

const day = "(?:0[1-9]|[12]\\d|3[01])";

/** 2024-07-18, 20241022, 250115, 08-2024, 05-20, 0613 (month and day), 2503 (year and month), 001. */
const dates = [
  `20\\d\\d-?${month}-?${day}`,
  `2\\d${month}${day}`,
  `${month}-20\\d\\d`,
  `${month}-?${day}`,
  `2\\d${month}`,
  "00\\d",
].join("|");

/** The end of a name that says which version of the model it is. */
const state = new RegExp(
  `[-@:](?:(?<date>${dates})|latest|preview|exp|beta|v\\d+:\\d+)$|:\\d+$|@[^@/]+$|\\.gguf$`,
);

/**
 * Compares two names of a model. "same": they differ at most in case, in a provider's prefix or a folder, by
 * `latest`, or by a tag that the reply drops. "snapshot": one of them has a date or a version that the other lacks.
 * "other": anything else, two different dates among it.
 *
 * @example namedModel("gpt-4o-mini", "gpt-4o-mini-2024-07-18") // "snapshot"
 */
export function namedModel(asked: string, named: string): NamedModel {
  const relation = relationOf(partsOf(asked), partsOf(named));
  const untagged = asked.replace(/:[^:/]+$/, "");
  return relation === "other" && untagged !== asked ? namedModel(untagged, named) : relation;
}

type Parts = ReturnType<typeof partsOf>;

function relationOf(one: Parts, other: Parts): NamedModel {
  const isOfOneName =
    one.base === other.base || isPrefixed(one.base, other.base) || isPrefixed(other.base, one.base);
  if (!isOfOneName) return "other";
  if (one.date !== "" && other.date !== "") return one.date === other.date ? "same" : "other";
  return one.states === other.states ? "same" : "snapshot";
}

const isPrefixed = (long: string, short: string) =>
  /^[a-z]/.test(short) && ["/", ":", "."].some((mark) => long.endsWith(mark + short));

/** A name apart from what says its state. */
function partsOf(name: string) {
  let base = name
    .trim()
    .toLowerCase()
    // A folder of this or that machine says nothing of the model.
    .replace(/^(?:\.{0,2}[\\/]|[a-z]:\\).*[\\/]/, "")
    .replaceAll(/[_\s]|(?<=\d)\.(?=\d)/g, "-");
  let states = "";
  let date = "";
  for (let found = state.exec(base); found !== null; found = state.exec(base)) {
    base = base.slice(0, found.index);
    if (!/latest|gguf/.test(found[0])) states = found[0] + states;
    date = (found.groups?.date ?? "").replaceAll("-", "") + date;
  }
  return { base, states, date };
}
