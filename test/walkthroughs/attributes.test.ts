import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStudyFolder } from "../../src/studies/home/study-folder.js";
import { StudyService } from "../../src/studies/server/study-service.js";
import { answerStudy } from "../support/answer-study.js";
import { colouredImage, scriptedOpenAi } from "../support/scripted-openai.js";
import { walkthrough } from "../support/walkthrough.js";

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
  const { directory, commands, read, run, kill } = await walkthrough("own-attributes.md", server);
  const [build, wanted, generate, localize, score, report, create, scoreAgain, reportAgain] =
    commands;

  expect((await run(build)).stdout).toContain("4 descriptions written");
  expect((await run(wanted)).stdout).toContain("4 images ");
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
  await kill(localize, () => segmented() >= 6);
  expect((await run(localize)).stdout).toMatch(/\b8 masks\b.*, 0 .*, 0 /);
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
  const first = (await run(report)).stdout;
  expect(first).toContain("No verdict");
  expect(first).toContain("localized-vqa-score");
  const page = await read("runs/rooms/report.html");
  expect(page).toContain("A room with");
  expect(page).toContain("masks:masks");
  expect(page).toContain("touchstone study create");

  await run(create);
  const home = await openStudyFolder(join(directory, "studies/rooms"));
  const service = await StudyService.open(home);
  await answerStudy(service, {
    id: "one",
    answer: ({ question, box }) => {
      expect(box).toBeUndefined();
      const entity = Object.keys(truth).find((name) => String(question).includes(`${name}?`)) ?? "";
      const isOwn = truth[entity]?.some((attribute) => String(question).includes(attribute));
      return { value: isOwn === true ? "yes" : "no" };
    },
  });
  await run(scoreAgain);
  const second = (await run(reportAgain)).stdout;
  expect(second).not.toContain("No verdict");
  expect(second).toContain("swapped");
});
