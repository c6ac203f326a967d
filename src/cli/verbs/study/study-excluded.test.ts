import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answerStudy } from "../../../../test/support/answer-study.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { openStudyFolder } from "../../../studies/home/study-folder.js";
import { StudyService } from "../../../studies/server/study-service.js";

test("a table stands beside the one without the excluded, and analyze says what either comes to", async () => {
  const folder = await temporaryDirectory();
  const run = async (...words: string[]) => {
    return touchstoneHere(words, { workingDirectory: folder });
  };
  await mkdir(join(folder, "images"));
  const ids = Array.from({ length: 8 }, (_, at) => `i${at}`);
  for (const [at, id] of ids.entries()) {
    const data = new Uint8Array(8 * 8 * 3).fill(20 * at);
    await writeFile(join(folder, `images/${id}.png`), encodePng({ width: 8, height: 8, data }));
  }
  const rows = ids.map((id, at) => `${id},images/${id}.png,${at} dogs`);
  await writeFile(join(folder, "items.csv"), ["id,image,text", ...rows, ""].join("\n"));
  await writeFile(
    join(folder, "study.yaml"),
    JSON.stringify({
      title: "Dogs",
      consent: "I agree.",
      blocks: [{ protocol: "rating", from: "items.csv", ratingsPerItem: 3 }],
      exclude: [{ rule: "same-answer-above", value: 0.9 }],
    }),
  );
  expect((await run("study", "create", "study.yaml", "--run", "study")).code).toBe(0);

  const service = await StudyService.open(await openStudyFolder(join(folder, "study")));
  onTestFinished(() => service.close());
  const byText = ({ text }: Readonly<Record<string, unknown>>) =>
    1 + (Number.parseInt(`${text}`, 10) % 4);
  await answerStudy(service, { answer: (item) => ({ value: byText(item) }) });
  await answerStudy(service, { answer: (item) => ({ value: byText(item) }) });
  const { participant } = await answerStudy(service, { answer: () => ({ value: 1 }) });
  await service.close();

  const exporting = ["study", "export", "study", "--table", "agreement", "--out", "all.csv"];
  const exported = await run(...exporting);
  expect(exported.stderr).toContain("1 participant breaks a rule of exclusion");
  expect(exported.stdout).toContain("--without-excluded all-without-excluded.csv");
  const besideIt = await readFile(join(folder, "all-without-excluded.csv"), "utf8");
  expect(besideIt.trim().split("\n")).toHaveLength(1 + 16);
  expect(besideIt).not.toContain(participant);
  expect(JSON.parse((await run(...exporting, "--json")).stdout)).toMatchObject({
    rows: 24,
    excluded: [participant],
    withoutExcluded: { rows: 16, out: "all-without-excluded.csv" },
  });

  const quick = ["--scale", "ordinal", "--resamples", "100"];
  const analyze = ["analyze", "agreement", "all.csv", ...quick];
  const both = [...analyze, "--without-excluded", "all-without-excluded.csv"];
  const found = JSON.parse((await run(...both, "--json")).stdout);
  const kept = JSON.parse(
    (await run("analyze", "agreement", "all-without-excluded.csv", ...quick, "--json")).stdout,
  );
  const everybody = JSON.parse((await run(...analyze, "--json")).stdout);
  expect(found).toEqual({ ...everybody, withoutExcluded: kept });
  expect(kept.verdict).not.toBe(everybody.verdict);
  const { stdout } = await run(...both);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    `${everybody.verdict} Without the excluded: ${kept.verdict}`,
  );
  expect((await run(...both, "--out", "all-without-excluded.csv")).code).toBe(2);
});
