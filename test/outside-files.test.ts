import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { runCommandLine } from "../src/cli/main.js";
import { encodePng } from "../src/images/pixels-picture.js";
import { folderGenerator, ImageIndex } from "../src/models/folder/folder-generator.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

const white = encodePng({ width: 2, height: 2, data: new Uint8Array(12).fill(255) });

/** Somebody else's folder, beside a picture that is nobody's business. */
let directory = "";
beforeEach(async () => {
  directory = await temporaryDirectory();
  await mkdir(join(directory, "theirs/below"), { recursive: true });
  await writeFile(join(directory, "private.png"), white);
  await writeFile(join(directory, "theirs/below/own.png"), white);
  await symlink(join(directory, "private.png"), join(directory, "theirs/link.png"));
  await symlink(directory, join(directory, "theirs/folder"));
  await symlink("below/own.png", join(directory, "theirs/near.png"));
  await writeFile(
    join(directory, "mine.mjs"),
    'export default { name: "mine", range: [0, 1], direction: "higher", score: () => 1 };',
  );
});

async function touchstone(line: string) {
  const environment = fakeEnvironment({ workingDirectory: directory });
  const code = await runCommandLine(line.split(" "), environment);
  const { stdout, stderr } = environment.written;
  return { code, stdout, stderr: stderr.replace(/\s+/g, " ") };
}

const outside = () =>
  [
    "../private.png",
    join(directory, "private.png"),
    "link.png",
    "folder/private.png",
    "below/../../private.png",
  ] as const;
const inside = () => [
  "below/own.png",
  "near.png",
  "below/../near.png",
  join(directory, "theirs/below/own.png"),
];
const write = (names: readonly string[]) =>
  writeFile(
    join(directory, "theirs/metadata.jsonl"),
    names.map((file_name) => `${JSON.stringify({ file_name, text: "white" })}\n`).join(""),
  );

test.each(["theirs", "theirs/metadata.jsonl"])(
  "score %s opens no file outside it",
  async (source) => {
    await write([...inside(), ...outside()]);
    const line = `score ${source} --metric ./mine.mjs`;
    const { code, stderr } = await touchstone(line);
    expect(code).toBe(2);
    expect(stderr).toContain(`${outside().length} of 9 `);
    for (const line of [5, 6, 7, 8, 9]) {
      expect(stderr).toMatch(new RegExp(`line ${line}: .*\\boutside\\b`));
    }
    expect(stderr).toContain("--allow-outside");

    const rest = JSON.parse((await touchstone(`${line} --skip-bad --json`)).stdout);
    expect(rest).toMatchObject({ n: inside().length, unscored: outside().length });
    const all = JSON.parse((await touchstone(`${line} --allow-outside --json`)).stdout);
    expect(all).toMatchObject({ n: 9, unscored: 0 });
  },
);

test("judges are shown nothing outside the table's folder and that of --images", async () => {
  const line = (name: string) =>
    `${JSON.stringify({ image: name, question: "White?", answer: "yes" })}\n`;
  await writeFile(join(directory, "theirs/labels.jsonl"), line("../private.png"));
  const words = "calibrate theirs/labels.jsonl --model lab:vqa --out judge.json";
  const refused = await touchstone(words);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/ \.\.\/private\.png: .*\boutside\b/);
  for (const more of ["--allow-outside", `--images ${directory}`]) {
    await writeFile(
      join(directory, "theirs/labels.jsonl"),
      line(more === "--allow-outside" ? "../private.png" : "private.png"),
    );
    expect((await touchstone(`${words} ${more}`)).stderr).not.toContain("lies outside");
  }
});

test("a folder of images made elsewhere gives none that its links lead out to", async () => {
  await write(["link.png"]);
  const theirs = join(directory, "theirs");
  const index = await ImageIndex.open(theirs);
  const ask = (allowOutside: boolean) =>
    folderGenerator({ directory: theirs, index, allowOutside }).generate({
      prompt: "white",
      seed: 0,
    });
  await expect(ask(false)).rejects.toMatchObject({
    reason: "bad-input",
    retryable: true,
    message: expect.stringMatching(/\boutside\b/),
  });
  expect((await ask(true)).bytes).toEqual(Buffer.from(white));
});
