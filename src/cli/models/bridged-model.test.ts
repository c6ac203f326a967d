import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { diffusersGenerator } from "./bridged-model.js";
import { hostingFor } from "./hosting.js";
import { chooseModel } from "./model-choice.js";

test("a package's code is part of its generator's identity", async () => {
  const workingDirectory = await temporaryDirectory();
  const hosting = hostingFor({ variables: {}, workingDirectory });
  await mkdir(join(workingDirectory, "painter"));
  const revision = async (code: string) => {
    await writeFile(join(workingDirectory, "painter", "__init__.py"), code);
    return (await chooseModel("python:painter:generate", {}, hosting)).model.identity.revision;
  };
  const first = await revision("def generate(prompt, seed): ...");
  expect(first).toMatch(/^code-[0-9a-f]{8}$/);
  expect(await revision("def generate(prompt, seed): return None")).not.toBe(first);
});

test("a function of one's own has no revision but its code", async () => {
  await expect(chooseModel("python:gen.py:generate@v2")).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining('without a revision but received "v2"'),
  });
});

test("a pipeline's revision, variant, precision and batches are told apart", () => {
  const hosting = hostingFor({ variables: {}, workingDirectory: "." });
  const named = (settings: Parameters<typeof diffusersGenerator>[1]) =>
    diffusersGenerator("owner/pipeline", settings, hosting).model.identity.revision;
  expect(named({ revision: "fp16" })).toBe("fp16");
  expect(named({ variant: "fp16" })).toBe("variant-fp16");
  expect(named({ dtype: "fp16" })).toBe("dtype-fp16");
  expect(named({ batch: 1 })).toBeUndefined();
  expect(named({ batch: 4 })).toBe("batch-4");
});
