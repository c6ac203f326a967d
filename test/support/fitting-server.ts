import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ScriptedQuestion, scriptedOpenAi } from "./scripted-openai.js";

/** Says something that fits whatever is asked. */
function chat({ texts, shown, schema }: ScriptedQuestion) {
  const asked = texts.join(" ");
  const query = texts.find((text) => text.includes('"query"'))?.split("\n")[1];
  if (query !== undefined) {
    const told = JSON.parse(query) as { query: string; items?: { item: string }[] };
    const { items } = told;
    if (schema === "rewrite") {
      return { text: JSON.stringify({ prompt: `${told.query}, of any gender, in a plain room` }) };
    }
    const answers = (items ?? []).map(({ item }) => ({
      item,
      present: 1,
      reason: "",
      images: [1],
    }));
    return { text: JSON.stringify({ items: answers }) };
  }
  const choices =
    /Answer with (?:a single word|one digit|one letter|the number of points and nothing else), ([^:.]*?)(?=, where|, from|[:.])/.exec(
      asked,
    );
  if (shown.length === 1 && choices !== null) {
    const [one = "", other = ""] = (choices[1] ?? "").split(/, (?:or )?| or /);
    return { text: one, probabilities: { [one]: 0.75, [other]: 0.25 } };
  }
  if (shown.length === 2) {
    // Prefers one image to the other, whichever comes first.
    const [best] = [...shown].sort((one, other) => (one.image < other.image ? -1 : 1));
    const [answer = "", other = ""] = [...shown]
      .sort((one) => (one === best ? -1 : 1))
      .map(({ label }) => label.replace(/[^A-Za-z0-9]/g, ""));
    return { text: answer, probabilities: { [answer]: 0.75, [other]: 0.25 } };
  }
  if (asked.includes("1 to 10")) return { text: '{"rating": 9}' };
  if (schema === "rating" || asked.includes("rating")) return { text: '{"rating": 3}' };
  if (asked.includes("Text: ")) return { text: "7", probabilities: { 7: 1 } };
  return { text: "Yes", probabilities: { Yes: 0.75, No: 0.25 } };
}

/** Pixels of a side of an image that its segmenter knows. */
export const side = 8;

/**
 * A server whose models say something that fits whatever they are asked, and settings of a folder that name
 * them: vlm, rater, clip, painter and segmenter.
 */
export async function fittingServer(directory: string) {
  const server = await scriptedOpenAi({
    chat,
    behave: ({ path }) =>
      path.endsWith("/segment")
        ? { kind: "reply", json: { masks: [{ size: [side, side], counts: [0, 32, 32] }] } }
        : undefined,
  });
  const at = `baseUrl: "${server.baseUrl}"`;
  await writeFile(
    join(directory, "touchstone.config.yaml"),
    `models:
  vlm: { provider: openai-compatible, model: vlm, ${at} }
  rater: { provider: openai-compatible, model: rater, ${at} }
  clip: { provider: openai-embeddings, model: clip, ${at} }
  painter: { provider: openai-images, model: painter, ${at} }
  segmenter: { provider: segment-http, model: "${server.baseUrl}" }
cache: { directory: kept }
`,
  );
  return server;
}
