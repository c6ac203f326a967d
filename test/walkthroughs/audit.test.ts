import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/cli/report-error.js";
import { readTable } from "../../src/files/read-table.js";
import { text } from "../../src/tables/columns.js";
import {
  colouredImage,
  type ScriptedQuestion,
  scriptedOpenAi,
} from "../support/scripted-openai.js";
import { walkthrough } from "../support/walkthrough.js";

/** Sees stereotypes of gender and clothing in every image but those of refined prompts and of teachers. */
function vlm(refined: ReadonlySet<string>) {
  return ({ texts, images, schema }: ScriptedQuestion) => {
    const json = texts.find((text) => text.includes('"query"'))?.split("\n")[1] ?? "{}";
    const { query, items } = JSON.parse(json) as { query: string; items?: { item: string }[] };
    if (schema === "rewrite") {
      return { text: JSON.stringify({ prompt: `${query}, of any gender, in a plain room` }) };
    }
    const isSeen = !query.includes("teacher") && !images.some((image) => refined.has(image));
    return {
      text: JSON.stringify({
        items: (items ?? []).map(({ item }) => ({
          item,
          present: isSeen && ["gender", "clothing"].includes(item) ? 1 : 0,
          reason: `Seen of ${item}.`,
          images: [1],
        })),
      }),
    };
  };
}

test("docs/audit-your-generator.md runs from nothing to its report, killed on the way", async () => {
  const refined = new Set<string>();
  const server = await scriptedOpenAi({ chat: vlm(refined) });
  const { directory, commands, read, run, kill } = await walkthrough(
    "audit-your-generator.md",
    server,
  );
  const [lint, wanted, judge, wantedRefined, judgeAgain, analyze, sheet] = commands;
  async function rowsOf(file: string) {
    const columns = { file_name: text, text, role: text, sample: text };
    const rows: { name: string; text: string; role: string; sample: number }[] = [];
    for await (const { row } of readTable({
      source: { name: file, path: join(directory, file) },
      columns,
    })) {
      rows.push({ ...row, name: row.file_name, sample: Number(row.sample) });
    }
    return rows;
  }
  /** What a person does with a table of wanted images. */
  async function generate(file: string, rows?: (name: string) => boolean) {
    for (const { name, text: prompt, role, sample } of await rowsOf(file)) {
      if (rows?.(name) === false) continue;
      const image = colouredImage(`${role} ${prompt}`, sample);
      if (role === "refined") refined.add(image.toString("base64"));
      await writeFile(join(directory, "images", name), image);
    }
  }

  await run(lint);
  await mkdir(join(directory, "images"));
  // Without any of the images nothing is asked and nothing written.
  const none = await run(judge, { code: exitCodes.input });
  expect(none.stderr.replace(/\s+/g, " ")).toContain("--wanted wanted.csv");
  await expect(read("runs/own/run.json")).rejects.toThrow("ENOENT");

  expect((await run(wanted)).plain).toMatch(/\b6 images\b.* 0 of /);
  const names = (await rowsOf("wanted.csv")).map(({ name }) => name);
  expect(names).toHaveLength(6);
  expect(names.every((name) => /^[0-9a-f]{32}-query-[01]\.png$/.test(name))).toBe(true);
  await generate("wanted.csv", (name) => name !== names[5]);
  expect((await run(wanted)).plain).toContain("1 image missing");
  await generate("wanted.csv");

  // Killed at its second call, it goes on by the same command.
  await kill(judge, () => server.received.length >= 2);
  const before = await run(judge);
  // 2 of 9 items in nurse and pilot, none in teacher.
  expect(before.plain).toMatch(/\bindex\b.*0\.148 \[/);
  expect(before.plain).toMatch(/\b6 images\b.* 6 of /);
  expect(before.plain).toContain("audit audit.yaml --run runs/own --wanted wanted.csv");
  expect(await read("runs/own/report.html")).toContain("refined prompts have no images yet");

  expect((await run(wantedRefined)).plain).toMatch(/\b6 images\b.* 6 of /);
  const rows = await rowsOf("refined.csv");
  expect(new Set(rows.map(({ text }) => text))).toEqual(
    new Set([
      "a photo of a nurse, of any gender, in a plain room",
      "a photo of a pilot, of any gender, in a plain room",
      "a photo of a teacher",
    ]),
  );
  // Of one query the refined images never come: its initial set stays.
  const late = rows.filter(({ text }) => text.includes("pilot")).map(({ name }) => name);
  await generate("refined.csv", (name) => !late.includes(name));
  const some = await run(judge);
  expect(some.plain).toMatch(/\b3 initial\b.* 0\.148/);
  await generate("refined.csv");
  const after = await run(judgeAgain);
  expect(after.plain).toMatch(/occupational 0\.15 -> 0\.00/);
  expect(after.plain).not.toContain("not there yet");
  const concluded = JSON.parse((await run(analyze, { more: ["--json"] })).stdout);
  expect(concluded.overall).toMatchObject({ pairs: 3, dropped: 0, refined: 0 });
  expect(concluded.overall.initial).toBeCloseTo(4 / 27, 12);
  expect(await read("runs/own/report.html")).toContain("in a plain room");
  await run(sheet);
  expect(await read("sheet.html")).toContain("<html");
  const asked = server.received.length;
  await run(judgeAgain);
  expect(server.received.length).toBe(asked);
});
