import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { trainingOf } from "./evaluate-model.js";

const styles = ["noto", "fluent", "twemoji"];

async function trained(report: object) {
  const folder = await mkdtemp(join(tmpdir(), "touchstone-"));
  await writeFile(join(folder, "training.json"), JSON.stringify(report));
  return trainingOf(pathToFileURL(`${folder}/`), styles);
}

test("a style is unseen, or unseen with people, by all folders of the training together", async () => {
  const mixed = { styles: ["noto"], people: 0.6 };
  expect(await trained({ settings: { seed: 3 }, data: [mixed] })).toEqual({
    seed: 3,
    unseenStyles: ["fluent", "twemoji"],
    unseenWithPeople: [],
  });
  const without = { styles: ["noto", "twemoji"], people: 0 };
  expect(await trained({ data: [mixed, without] })).toEqual({
    unseenStyles: ["fluent"],
    unseenWithPeople: ["twemoji"],
  });
});

test("where the share of people is not said nothing is known of it", async () => {
  const data = [{ styles: ["noto", "twemoji"] }, { styles: ["twemoji"], people: 0 }];
  expect(await trained({ data })).toEqual({ unseenStyles: ["fluent"], unseenWithPeople: [] });
  // Earlier programs wrote one set of scenes.
  expect(await trained({ data: { seed: "train", scenes: 10 } })).toEqual({
    unseenStyles: [],
    unseenWithPeople: [],
  });
});
