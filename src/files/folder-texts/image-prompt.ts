import { imageTexts } from "./image-texts.js";

/**
 * The prompt that a program wrote into a PNG, JPEG or WebP that it generated: A1111 and its kin (`parameters`, or
 * Exif's comment), ComfyUI (`prompt`, a graph, where one text alone leads to its samplers), InvokeAI
 * (`invokeai_metadata`) and NovelAI (`Description`).
 *
 * @returns undefined for another file, and where nothing says one prompt.
 */
export async function promptInImage(path: string): Promise<string | undefined> {
  const texts = await imageTexts(path);
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
