import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/command-line/run-command-line.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { colouredImage, scriptedOpenAi } from "../support/scripted-openai.js";
import { walkthrough } from "../support/walkthrough.js";
import { killAt } from "./kill-at.js";

const truth: Readonly<Record<string, readonly string[]>> = {
  sofa: ["green", "velvet"],
  lamp: ["red", "orange"],
  armchair: ["yellow"],
  curtains: ["light blue", "striped"],
  rug: ["white"],
  table: ["black"],
  bed: ["purple"],
};

test("docs/own-attributes.md runs from nothing to its report, killed on the way", async () => {
  let onCall = () => {};
  const side = 16;
  const server = await scriptedOpenAi({
    // Yes where the first attribute that a question names is the entity's own.
    chat({ texts }) {
      const asked = texts.join(" ");
      const entity = Object.keys(truth).find((name) => asked.includes(name)) ?? "";
      const isOwn = truth[entity]?.some((attribute) => asked.includes(attribute)) === true;
      const yes = isOwn ? 0.9 : 0.1;
      return {
        text: isOwn ? "Yes" : "No",
        probabilities: { Yes: yes, No: 1 - yes },
      };
    },
    behave({ path, body }) {
      onCall();
      if (!path.endsWith("/segment")) return undefined;
      // The left half is the entity; of a rug there is a box alone.
      return {
        kind: "reply",
        json:
          body.entity === "rug"
            ? { boxes: [[0, 0, side / 2, side]] }
            : { masks: [{ size: [side, side], counts: [0, 128, 128] }] },
      };
    },
  });
  const { directory, commands } = await walkthrough("own-attributes.md", server.baseUrl);
  const read = (name: string) => readFile(join(directory, name), "utf8");
  const run = async (words: readonly string[]) => {
    const environment = fakeEnvironment({
      workingDirectory: directory,
      variables: server.variables,
    });
    const code = await runCommandLine(words, environment);
    expect([words.join(" "), code, environment.written.stderr]).toEqual([
      words.join(" "),
      0,
      expect.any(String),
    ]);
    return environment.written.stdout;
  };
  const [build = [], wanted = [], generate = [], localize = [], score = [], report = [], ...rest] =
    commands;
  expect(rest).toEqual([]);

  expect(await run(build)).toContain("4 descriptions, 0 not written");
  expect(await run(wanted)).toContain("4 images are wanted");
  const texts = (await read("wanted.csv")).match(/A room with [^"\n]*?\./g) ?? [];
  expect(texts).toHaveLength(4);
  await mkdir(join(directory, "images"));
  for (const [at, text] of texts.entries()) {
    await writeFile(join(directory, `images/${at}.png`), colouredImage(text, 0, side));
  }
  await writeFile(
    join(directory, "images/metadata.jsonl"),
    texts
      .map((text, at) => {
        const entities = Object.keys(truth)
          .filter((name) => text.includes(name))
          .map((entity) => ({ entity, attributes: [] }));
        return JSON.stringify({ file_name: `${at}.png`, text, entities });
      })
      .join("\n"),
  );
  await run(generate);

  const segmented = () => server.received.filter(({ path }) => path.endsWith("/segment")).length;
  const signal = await killAt(localize, {
    directory,
    variables: server.variables,
    watch: (kill) => {
      onCall = () => {
        if (segmented() >= 6) kill();
      };
    },
  });
  onCall = () => {};
  expect(signal).toBe("SIGKILL");
  expect(await run(localize)).toContain("8 masks found, 0 nowhere, 0 without an answer");
  expect(segmented()).toBeLessThanOrEqual(14);
  const rows = (await read("masks/masks.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(8);
  expect(rows.every(({ inside }) => inside === 0.5)).toBe(true);
  const asked = segmented();
  await run(localize);
  expect(segmented()).toBe(asked);

  await run(score);
  expect(await run(report)).toContain("localized-vqa-score");
  const page = await read("runs/rooms/report.html");
  expect(page).toContain("A room with");
  expect(page).toContain("masks:masks");
});
