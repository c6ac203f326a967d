import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runCommandLine } from "../src/cli/main.js";
import { encodePng } from "../src/images/pixels-picture.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

let directory = "";
beforeEach(async () => {
  directory = await temporaryDirectory();
});

async function touchstone(line: string, variables: Record<string, string> = {}) {
  const environment = fakeEnvironment({ workingDirectory: directory, variables });
  const code = await runCommandLine(line.split(" "), environment);
  const { stdout, stderr } = environment.written;
  return { code, stdout, stderr: stderr.replace(/\s+/g, " ") };
}

/** What may stand where a file is expected, and what is said of it. */
const special: readonly [kind: string, make: (path: string) => unknown, said: string][] = [
  ["a link to a device", (path) => symlink("/dev/zero", path), "it is a device, not a file"],
  ["a pipe", (path) => execFileSync("mkfifo", [path]), "it is a pipe, not a file"],
  [
    "a socket",
    (path) =>
      new Promise<void>((resolve) => {
        const server = createServer().listen(path, resolve);
        onTestFinished(() => void server.close());
      }),
    "it is a socket, not a file",
  ],
  ["a folder", (path) => mkdir(path), "it is a folder"],
];

describe.skipIf(process.platform === "win32")("in place of a file", () => {
  test.each(special)(
    "%s is refused as an image, and the rest is scored",
    async (_kind, make, said) => {
      const white = encodePng({ width: 2, height: 2, data: new Uint8Array(12).fill(255) });
      await writeFile(join(directory, "white.png"), white);
      await make(join(directory, "other.png"));
      const rows = ["white.png", "other.png"].map((image) => `${image},white`);
      await writeFile(join(directory, "table.csv"), `image,text\n${rows.join("\n")}\n`);
      await writeFile(
        join(directory, "mine.mjs"),
        'export default { name: "mine", range: [0, 1], direction: "higher", score: () => 1 };',
      );
      const refused = await touchstone("score table.csv --metric ./mine.mjs --allow-outside");
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`line 3: Can't read other.png: ${said}`);
      const rest = await touchstone(
        "score table.csv --metric ./mine.mjs --allow-outside --skip-bad --json",
      );
      expect(rest.code).toBe(0);
      expect(JSON.parse(rest.stdout)).toMatchObject({ n: 1, unscored: 1 });
    },
  );

  test.each(special)(
    "%s is refused as a table, a baseline, a judge, a pool",
    async (kind, make, said) => {
      for (const name of ["table.csv", "table.jsonl", "table.parquet", "file.json", "pool.yaml"]) {
        await make(join(directory, name));
      }
      await writeFile(join(directory, "sound.csv"), "id,label,prediction\n1,1,1\n");
      // A shell hands a command's output over as a pipe, so a pipe is a table.
      const tables = [
        "analyze agreement table.csv --scale nominal",
        "analyze calibration table.jsonl",
        "analyze contrastive table.parquet",
      ];
      for (const line of [
        ...(kind === "a pipe" ? [] : tables),
        "judge sound.csv --judge file.json",
        "judge prompts lint pool.yaml",
        "audit pool.yaml --lint",
      ]) {
        const { code, stderr } = await touchstone(line);
        expect([line, code]).toEqual([line, 2]);
        expect(stderr).toContain(said.replace("it is a folder", "is a folder"));
      }
    },
  );

  test.each(special)("%s is refused as settings", async (_kind, make, said) => {
    await make(join(directory, "touchstone.config.yaml"));
    const { code, stderr } = await touchstone("score --image a.png --text a --model lab:vqa");
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  test("an image of more bytes than any has is refused unread", async () => {
    await writeFile(join(directory, "huge.png"), "");
    await truncate(join(directory, "huge.png"), 5e9);
    const { code, stderr } = await touchstone(
      "metrics localize huge.png --mask huge.png --strategy masking --out seen.png",
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/huge\.png: .*\b5000 MB\b.*\b600 MB\b/);
  });
});
