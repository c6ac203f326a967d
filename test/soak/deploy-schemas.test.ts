import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { pythonPackages } from "../support/python-packages.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

const run = promisify(execFile);
const deploy = fileURLToPath(new URL("../../deploy", import.meta.url));
const { folder, missing } = await pythonPackages("schemas-1", [
  "check-jsonschema==0.39.0",
  "kubernetes-validate==1.33.1",
]);

/** What a checker of files by their published schema says, and how it ends. */
async function checked(words: readonly string[], file: string) {
  const env = { ...process.env, PYTHONPATH: folder };
  const checker = run("python3", ["-m", ...words, file], { env });
  const { code = 0, stdout, stderr } = await checker.catch((failed: unknown) => Object(failed));
  return { code, said: `${stdout}${stderr}` };
}

const compose = ["check_jsonschema", "--builtin-schema", "vendor.compose-spec"];
const kubernetes = ["kubernetes_validate", "--strict", "-k", "1.33"];

describe.skipIf(missing !== undefined)(`what deploy/ starts ${missing ?? ""}`, () => {
  test.each([
    ["compose.yaml", compose, "restart:", "restrat:"],
    ["kubernetes/study.yaml", kubernetes, "replicas:", "replicaz:"],
    ["kubernetes/perform.yaml", kubernetes, "completions:", "completionz:"],
  ])(
    "%s keeps to its schema, and a word that is none is noticed",
    async (name, words, from, to) => {
      const file = join(deploy, name);
      expect(await checked(words, file)).toMatchObject({ code: 0 });
      const misspelt = join(await temporaryDirectory(), "misspelt.yaml");
      await writeFile(misspelt, (await readFile(file, "utf8")).replace(from, to));
      const found = { code: 1, said: expect.stringContaining(to.slice(0, -1)) };
      expect(await checked(words, misspelt)).toMatchObject(found);
    },
  );
});
