import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { loadConfiguration, parseConfiguration } from "./configuration.js";
import { configurationSchema } from "./configuration-schema.js";

const template = await readFile(
  new URL("../../../data/config.template.yaml", import.meta.url),
  "utf8",
);

function problemsOf(text: string): readonly string[] {
  try {
    parseConfiguration(text, "touchstone.config.yaml");
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  throw new Error("Expected a refusal");
}

describe("parseConfiguration", () => {
  it("takes an empty file as no settings, and the template as those of the lab", () => {
    expect(parseConfiguration("", "a.yaml")).toEqual({});
    expect(Object.keys(parseConfiguration(template, "a.yaml").models ?? {})).toEqual(["vqa"]);
  });

  it("takes every example of the template once it is uncommented", () => {
    // Prose begins with a capital letter; settings and dashes do not.
    const settings = template.replaceAll(/^# (?=\s*[a-z-])/gm, "");
    const parsed = parseConfiguration(settings, "a.yaml");
    expect(Object.keys(parsed).sort()).toEqual(Object.keys(configurationSchema.shape).sort());
    expect(parsed.models?.clip).toMatchObject({ provider: "transformers-js", offline: false });
  });

  it.each([
    ["modles: {}", ["line 1: unknown member modles; did you mean models?"]],
    ["score: {}\n\nwallet: 3", ["line 3: unknown member wallet"]],
    ["budget: { maxCalls: -1 }", ["line 1: budget.maxCalls: Too small: expected number to be >=0"]],
    ["budget: { maxcost: 1 }", ["line 1: unknown member budget.maxcost; did you mean maxCost?"]],
    [
      "models:\n  clip:\n    provider: lab\n    modle: vqa\n    model: vqa",
      ["line 4: unknown member models.clip.modle; did you mean model?"],
    ],
    ["score: { metric: [a] }", ["line 1: unknown member score.metric; did you mean metrics?"]],
    ["score: 3", ["line 1: score: expected object but received 3"]],
    ["- a", ['line 1: the whole file: expected object but received ["a"]']],
  ])("refuses %j by name and line", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it.each(["timeoutSeconds", "stallSeconds"])("refuses a %s that no timer counts", (name) => {
    const settings = (time: string) =>
      `models:\n  a:\n    provider: openai-compatible\n    model: m\n    ${name}: ${time}`;
    expect(problemsOf(settings("2147484"))).toEqual([
      `line 5: models.a.${name}: a time of at most 2,147,483 seconds, some 24 days`,
    ]);
    expect(() => parseConfiguration(settings("2147483"), "a.yaml")).not.toThrow();
  });

  it("refuses aliases that unfold without end", () => {
    const lists = Array.from({ length: 9 }, (_, level) =>
      level === 0 ? "a0: &a0 [x]" : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`,
    );
    expect(() => parseConfiguration(lists.join("\n"), "a.yaml")).toThrow(
      "with fewer aliases in a.yaml",
    );
  });

  it("says where YAML breaks", () => {
    expect(problemsOf("score:\n  metrics: [")[0]).toMatch(/^line 2: /);
  });
});

describe("loadConfiguration", () => {
  it("lays the environment over the file", async () => {
    const workingDirectory = await temporaryDirectory();
    await writeFile(
      join(workingDirectory, "touchstone.config.yaml"),
      "score: { models: [lab:vqa], metrics: [vqa-score] }\n",
    );
    const variables = { TOUCHSTONE_METRICS: "clip-score, vqa-score" };
    expect(await loadConfiguration({ variables, workingDirectory })).toEqual({
      settings: { score: { models: ["lab:vqa"], metrics: ["clip-score", "vqa-score"] } },
      file: "touchstone.config.yaml",
    });
  });

  it("needs no file, but the one that is named", async () => {
    const workingDirectory = await temporaryDirectory();
    expect(await loadConfiguration({ variables: {}, workingDirectory })).toEqual({
      settings: {},
      file: undefined,
    });
    const variables = { TOUCHSTONE_CONFIG: "other.yaml" };
    await expect(loadConfiguration({ variables, workingDirectory })).rejects.toThrow(
      "Expected settings in other.yaml",
    );
  });
});

describe("data/config.schema.json", () => {
  it("is what the schema says (after a change: npx vitest run src/cli/configuration -u)", async () => {
    const published = `${JSON.stringify(z.toJSONSchema(configurationSchema, { io: "input" }), null, 2)}\n`;
    await expect(published).toMatchFileSnapshot("../../../data/config.schema.json");
  });
});
