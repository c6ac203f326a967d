import { describe, expect, it } from "vitest";
import {
  shownProblems,
  writerTask,
  writtenTriplet,
} from "../../../test/support/scripted-writer.js";
import { type ChatModel, type ChatRequest, modelName } from "../../core/models.js";
import { chatWriter, paperWriterWording, readWriterWording } from "./chat-writer.js";
import { brokenRules, tripletRules } from "./rules.js";
import { requestAbout } from "./scenes.js";
import { domainsOf, type Knob, loadTaxonomy, pairsOf } from "./taxonomy.js";
import { knobValues, loadTemplates, wrongValues } from "./templates.js";

const [taxonomy, templates] = [loadTaxonomy(), loadTemplates()];
const rules = tripletRules();

const textsOf = ({ messages }: ChatRequest): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => ("text" in part ? [part.text] : [])));

const modelThat = (answer: (texts: readonly string[]) => object) => {
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    identity: { provider: "made-up", model: "writer" },
    async chat(request) {
      asked.push(request);
      return { text: JSON.stringify(answer(textsOf(request))), finish: "stop" };
    },
  };
  return { model, asked };
};

const obedient = () =>
  modelThat((texts) => {
    const task = writerTask(texts);
    if (task === undefined) throw new Error("Expected a task");
    return writtenTriplet(task);
  });

function requestFor(domain: string, knob: Knob, nonPrototype?: string) {
  const pair = pairsOf(taxonomy, domain).find(
    (one) => nonPrototype === undefined || one.nonPrototype.name === nonPrototype,
  );
  const [setting] = templates.settings[domain] ?? [];
  const { environments: [environment = ""] = [], extras = [] } =
    (templates.settings[domain] ?? []).find(({ categories }) =>
      categories.includes(pair?.category ?? ""),
    ) ??
    setting ??
    {};
  const extra = extras.find((one) => knobValues(templates, knob, one).length > 0) ?? "";
  const [right = ""] = knobValues(templates, knob, extra);
  const [wrong = ""] = wrongValues(templates, knob, extra, right);
  if (pair === undefined) throw new Error("Expected a pair");
  return requestAbout(pair, { knob, right, wrong, extra, environment }, templates);
}

describe("a chat model that does as it is told", () => {
  const { model, asked } = obedient();
  const writer = chatWriter({ model });

  it.each(
    domainsOf(taxonomy).flatMap((domain) =>
      (pairsOf(taxonomy, domain)[0]?.knobs ?? []).map((knob) => [domain, knob] as const),
    ),
  )("keeps every rule of %s with an error of %s, controls included", async (domain, knob) => {
    const request = requestFor(domain, knob);
    const triplet = await writer.write(request, 1);
    expect(brokenRules(rules, triplet, request)).toEqual([]);
    expect(triplet.text).toContain("rests quietly");
  });

  it("gives a plural its verb", async () => {
    const request = requestFor("objects", "count", "chopsticks");
    const triplet = await writer.write(request, 1);
    expect(brokenRules(rules, triplet, request)).toEqual([]);
    expect(triplet.controlAdversarial).toMatch(/^Chopsticks rest quietly on a table with exactly/);
  });

  it("is told the rules of the domain, and nothing of the control", () => {
    const of = (hypernym: string) =>
      textsOf(asked.find((one) => textsOf(one).join().includes(hypernym)) ?? { messages: [] })[0];
    expect(of('"an animal"')).toContain("natural");
    expect(of('"a rich person"')).toContain("which group");
    expect(of('"an animal"')).toContain("at most 30 words");
    expect(asked.some((one) => /control/i.test(textsOf(one).join()))).toBe(false);
  });

  it("has its wording in its name", () => {
    expect(writer.name).toMatch(new RegExp(`^${modelName(model.identity)}, wording [0-9a-f]{12}$`));
    expect(chatWriter({ model, templates: { ...templates, mostWords: 12 } }).name).not.toBe(
      writer.name,
    );
  });
});

it("shows a model what it wrote and which rules that broke, not what follows for the control", async () => {
  const request = requestFor("animals", "count");
  const { model, asked } = modelThat((texts) => {
    const task = writerTask(texts);
    if (task === undefined) throw new Error("Expected a task");
    const triplet = writtenTriplet(task);
    return shownProblems(texts).length > 0
      ? triplet
      : { ...triplet, adversarial: triplet.adversarial.replace("rests", "hides") };
  });
  const writer = chatWriter({ model });
  const first = await writer.write(request, 1);
  const broken = brokenRules(rules, first, request);
  expect(broken.map(({ rule }) => rule)).toEqual(["adversarial-changes-knob-only"]);
  const second = await writer.write(request, 2, { refused: [{ triplet: first, broken }] });
  expect(brokenRules(rules, second, request)).toEqual([]);
  const [, again] = asked;
  expect(again?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(shownProblems(textsOf(again ?? { messages: [] }))).toEqual([
    expect.stringMatching(/^adversarial-changes-knob-only: adversarial is "A robin hides/),
  ]);
  expect([asked[0]?.temperature, again?.temperature]).toEqual([0, 0.7]);
});

describe("a writer that is asked by the paper's own words", () => {
  it("gets the prompt of the domain with the task in every place, and no words of ours", async () => {
    for (const domain of domainsOf(taxonomy)) {
      const request = requestFor(domain, "count");
      const said = { text: "A.", correct: "B.", adversarial: "C." };
      const { model, asked } = modelThat(() => said);
      const writer = chatWriter({ model, wording: paperWriterWording(), isOwnWording: true });
      await writer.write(request, 1);
      const [prompt = "", ...others] = textsOf(asked[0] ?? { messages: [] });
      expect(others).toEqual([]);
      expect(prompt).toContain("You are generating triplet prompts for");
      expect(prompt).toContain(request.environment);
      expect(prompt).toContain(request.right);
      expect(prompt.match(/\{\w+\}/g)).toBeNull();
      expect(writer.instructions).toMatchObject({ prompts: expect.anything() });
    }
  });

  it("is another writer by name, and refuses a domain without a prompt", async () => {
    const { model } = obedient();
    const wording = readWriterWording(
      "own.yaml",
      "prompts: {animals: 'Write {text}'}\nagain: Again\n",
    );
    const writer = chatWriter({ model, wording });
    expect(writer.name).not.toBe(chatWriter({ model }).name);
    await expect(writer.write(requestFor("objects", "count"), 1)).rejects.toThrow(
      /prompt for objects/,
    );
  });
});
