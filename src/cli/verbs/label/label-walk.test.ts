import sharp from "sharp";
import { expect, test } from "vitest";
import { answerStudy } from "../../../../test/support/answer-study.js";
import { commandLines } from "../../../../test/support/command-lines.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { openStudyFolder } from "../../../studies/home/study-folder.js";
import { StudyService } from "../../../studies/server/study-service.js";

const { place, put, read, run } = commandLines();

const study = `
title: Which images fit?
open: true
consent: I take part.
blocks:
  - protocol: rating
    from: next.csv
    map: {id: image, text: prompt}
    ratingsPerItem: 1
`;

/** Prompts of two models; images of the better one are lighter, and the metric sees some of that. */
const light = (prompt: number, model: "a" | "b") =>
  60 + 8 * (prompt % 5) + (model === "a" ? 0 : prompt % 8 === 5 ? -50 : 60 + 10 * (prompt % 3));

test("a plan's images become a study, whose answers go into compare with their weights, in five commands", async () => {
  const lines = ["model,prompt,score,image"];
  for (let prompt = 0; prompt < 16; prompt++) {
    for (const model of ["a", "b"] as const) {
      const lightness = light(prompt, model);
      const data = new Uint8Array(8 * 8 * 3).fill(lightness);
      const image = `${model}-${prompt}.png`;
      await put(image, encodePng({ width: 8, height: 8, data }));
      lines.push(`${model},prompt ${prompt},${(lightness + 20 * (prompt % 4)) / 255},${image}`);
    }
  }
  await put("scores.csv", [...lines, ""].join("\n"));
  await put("study.yaml", study);
  const done = async (...words: readonly string[]) => {
    const found = await run([...words, "--json"]);
    expect({ words, code: found.code, stderr: found.stderr }).toMatchObject({ code: 0 });
    return JSON.parse(found.stdout);
  };

  const plan = await done("label", "plan", "scores.csv", "--budget", "12", "--out", "next.csv");
  expect(plan).toMatchObject({ chosen: 12, labels: 0 });
  await done("study", "create", "study.yaml", "--run", "studies/first");
  const home = await openStudyFolder(place("studies/first"));
  const service = await StudyService.open(home, { clock: () => 1_000_000 });
  await answerStudy(service, {
    id: "one",
    async answer(item, look) {
      const { channels } = await sharp(await look(String(item.image))).stats();
      return { value: Math.min(4, Math.max(1, Math.round((channels[0]?.mean ?? 0) / 50))) };
    },
  });
  await done("study", "export", "studies/first", "--table", "compare", "--out", "answered.csv");
  const [header] = (await read("answered.csv")).split("\n");
  expect(header).toBe("model,prompt,score,human,probability,weight,stratum,round");

  const few = ["--resamples", "100", "--permutations", "100"];
  const pairs = [{ a: "a", b: "b", n: 12, prompts: 16 }];
  const alone = await done("compare", "answered.csv", ...few);
  expect(alone.humanCorrected).toMatchObject({ sampling: "planned", pairs });
  expect(alone.humanCorrected.pairs[0].winRate.high).toBeLessThan(0.5);
  const whole = await done("compare", "scores.csv", "--answered", "answered.csv", ...few);
  expect(whole.humanCorrected).toMatchObject({ sampling: "planned", pairs });
});
