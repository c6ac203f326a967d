import { open } from "node:fs/promises";
import { inflateSync } from "node:zlib";

/** Chunks before the pixels hold no more than this, or are none of a prompt. */
const mostChunkBytes = 4e6;
const signature = [137, 80, 78, 71, 13, 10, 26, 10];

/**
 * The prompt that a program wrote into a PNG that it generated: A1111 and its kin (`parameters`), ComfyUI (`prompt`,
 * a graph, where one text alone leads to its samplers), InvokeAI (`invokeai_metadata`) and NovelAI (`Description`).
 *
 * @returns undefined for another file, and where nothing says one prompt.
 */
export async function promptInPng(path: string): Promise<string | undefined> {
  const texts = await textChunks(path);
  const of = (name: string) => texts.get(name);
  const parameters = of("parameters");
  const found =
    (parameters === undefined ? undefined : promptOfParameters(parameters)) ??
    promptOfGraph(jsonOf(of("prompt"))) ??
    memberOf(jsonOf(of("invokeai_metadata")), "positive_prompt") ??
    (of("Software") === "NovelAI" ? of("Description") : undefined);
  const prompt = typeof found === "string" ? found.trim() : "";
  return prompt === "" ? undefined : prompt;
}

/** Where the settings begin in what A1111 writes behind a prompt. */
const settings = /\n(?:Negative prompt: |Steps: \d)/;

/** The prompt of a text as A1111 writes it into images, and into files beside them; undefined where it is none. */
export function promptOfParameters(text: string): string | undefined {
  const whole = text.replaceAll("\r\n", "\n").trim();
  const asJson = memberOf(jsonOf(whole), "prompt");
  if (typeof asJson === "string") return asJson;
  const at = whole.search(settings);
  return at < 0 || !/^Steps: \d+/m.test(whole) ? undefined : whole.slice(0, at);
}

/** The text that leads to every sampler of a graph of ComfyUI's; undefined where there are several. */
function promptOfGraph(graph: unknown): string | undefined {
  if (typeof graph !== "object" || graph === null) return undefined;
  const inputsOf = (node: unknown) => memberOf(memberOf(graph, String(node)), "inputs");
  const textAt = (link: unknown, seen: readonly unknown[] = []): string | undefined => {
    if (typeof link === "string") return link;
    if (!Array.isArray(link) || seen.includes(link[0])) return undefined;
    const inputs = inputsOf(link[0]);
    const next = [...seen, link[0]];
    for (const name of ["text", "conditioning", "positive", "string", "value"]) {
      const found = textAt(memberOf(inputs, name), next);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const starts = Object.keys(graph).flatMap((node) => {
    const inputs = inputsOf(node);
    // A guider or a sampler; what stands between takes conditioning.
    const isSampler = /sampler|guider/i.test(String(memberOf(memberOf(graph, node), "class_type")));
    return isSampler
      ? [memberOf(inputs, "positive") ?? memberOf(inputs, "conditioning")].filter(Array.isArray)
      : [];
  });
  const texts = starts.map((link) => textAt(link));
  return new Set(texts).size === 1 ? texts[0] : undefined;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([one]) => one === name)?.[1]
    : undefined;

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** The texts in a PNG's chunks tEXt, zTXt and iTXt before its pixels, by keyword. */
async function textChunks(path: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const file = await open(path);
  const read = async (position: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  try {
    if (!Buffer.from(signature).equals(await read(0, 8))) return texts;
    for (let at = 8; ; ) {
      const head = await read(at, 8);
      const type = head.toString("latin1", 4);
      if (head.length < 8 || type === "IDAT" || type === "IEND") return texts;
      const length = head.readUInt32BE();
      if (/^(tEXt|zTXt|iTXt)$/.test(type) && length <= mostChunkBytes) {
        const [keyword, text] = textOf(type, await read(at + 8, length)) ?? [];
        if (keyword !== undefined && text !== undefined) texts.set(keyword, text);
      }
      at += 12 + length;
    }
  } finally {
    await file.close();
  }
}

/** A keyword and its text; undefined where the chunk is damaged. */
function textOf(type: string, chunk: Buffer): [keyword: string, text: string] | undefined {
  const end = chunk.indexOf(0);
  if (end < 0) return undefined;
  const keyword = chunk.toString("latin1", 0, end);
  const rest = chunk.subarray(end + 1);
  try {
    if (type === "tEXt") return [keyword, eitherText(rest)];
    if (type === "zTXt") return [keyword, eitherText(inflated(rest.subarray(1)))];
    const language = rest.indexOf(0, 2);
    const text = rest.subarray(rest.indexOf(0, language + 1) + 1);
    return [keyword, (rest[0] === 1 ? inflated(text) : text).toString("utf8")];
  } catch {
    return undefined;
  }
}

const inflated = (bytes: Uint8Array) => inflateSync(bytes, { maxOutputLength: mostChunkBytes });

/** Latin-1 by the standard, UTF-8 as many programs write it. */
function eitherText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}
