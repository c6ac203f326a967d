import { readJson } from "../../core/read-json.js";

/** A provider's words about a call that it did not answer. */
export interface ErrorBody {
  readonly message: string;
  readonly code?: string;
  /** Where the error names a status of its own. */
  readonly status?: number;
}

/**
 * The error in a reply: `{ error: { message, code, type } }` as OpenAI has it, the same in a list
 * (Gemini), `{ error: text }` with or without members beside it (Ollama, xAI, TGI), `{ message }`, `{ detail }`
 * (FastAPI; also a list of them, each with its place), `{ Message }` (AWS), `{ name, errors }` (Stability),
 * `{ error, errors }` (AUTOMATIC1111), `{ error, node_errors }` (ComfyUI), `{ msg }` (GLM),
 * `{ base_resp: { status_msg } }` (MiniMax), a web page, or plain text. What a router hands on of a provider
 * (`metadata.raw`, OpenRouter) stands behind its own words.
 */
export function errorBody(text: string): ErrorBody {
  const whole = parsed(text);
  if (whole === undefined) return { message: ofText(text) };
  const json = Array.isArray(whole) && whole.length === 1 ? whole[0] : whole;
  const found = membersOf(json).error ?? json;
  const error = typeof found === "string" ? { ...membersOf(json), message: found } : found;
  const { message, Message, detail, msg, loc, base_resp, metadata, ...rest } = membersOf(error);
  const { code, type, error_type, status, details } = rest;
  const { errors, name, node_errors } = membersOf(json);
  const { raw } = membersOf(metadata);
  const texts = [message, Message, detail, msg, membersOf(base_resp).status_msg];
  const said = texts.find((text): text is string => typeof text === "string" && text.trim() !== "");
  const reasons = Array.isArray(details) ? details.map((each) => membersOf(each).reason) : [];
  const title = errors === undefined ? [] : textsOf(name);
  const names = [...reasons, code, type, status, ...title];
  const named = names.find((candidate) => typeof candidate === "string");
  const misfit = error_type === "validation" ? 422 : undefined;
  const number = [code, status, misfit].find((candidate) => typeof candidate === "number");
  const beside = typeof found === "string" ? textsOf(detail) : [];
  const more = [...title, ...textsOf(errors), ...beside, ...ofNodes(node_errors)];
  const place = Array.isArray(loc) && loc.length > 0 ? [loc.join(".")] : [];
  const words = [...place, ...textsOf(said), ...more].join(": ");
  const own = {
    message: ofText(words === "" ? (JSON.stringify(error) ?? "") : words),
    ...(typeof named === "string" ? { code: named } : {}),
    ...(typeof number === "number" && number >= 400 && number < 600 ? { status: number } : {}),
  };
  const below = saysAnything(raw)
    ? raw
    : words === ""
      ? [message, detail].find(saysAnything)
      : undefined;
  const inner = [below]
    .flat()
    .filter((one) => typeof one === "string" || (typeof one === "object" && one !== null))
    .map((one) => errorBody(typeof one === "string" ? one : JSON.stringify(one)));
  if (inner.length === 0) return own;
  const all = [...(words === "" ? [] : [own]), ...inner].map((one) => one.message);
  return { ...inner[0], ...own, message: ofText(all.join(": ")) };
}

/** Whether a value has a word or a number in it: gateways send an error without any beside a good answer. */
export const saysAnything = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).some(saysAnything)
    : Boolean(value);

/** Whether a reply, before it is read, may hold an error: an empty one stands beside a good answer. */
export const mayHoldError = (text: string): boolean =>
  /"error"\s*:\s*(?:"[^"]|\{\s*[^\s}])/.test(text);

/** Whether text is a web page, as a proxy or a wrong address gives one. */
export const isWebPage = (text: string): boolean => /^\s*<(!doctype|html|head|body)\b/i.test(text);

function ofText(text: string): string {
  if (isWebPage(text)) {
    const title = /<title[^>]*>([^<]*)</i.exec(text.slice(0, 10_000))?.[1]?.trim();
    return title ? `a web page, "${title}"` : "a web page";
  }
  const line = text.trim().replaceAll(/\s+/g, " ");
  if (line === "") return "nothing";
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === "string" && one !== "");

/** Errors of a workflow's nodes: which node, of which class, and the words. */
const ofNodes = (nodes: unknown): string[] =>
  Object.entries(membersOf(nodes)).map(([id, node]) => {
    const { class_type, errors } = membersOf(node);
    const said = [errors].flat().map((one) => {
      const { message, details } = membersOf(one);
      return [...textsOf(message), ...textsOf(details)].join(", ");
    });
    return `node ${id} (${class_type}): ${said.join("; ")}`;
  });

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};
