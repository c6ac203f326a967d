import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { otherSpelling } from "./picture-file.js";

test.each([
  ["img\\a.png", "img/a.png:"],
  ["img\\b.png", "separated by /"],
  ["https://example.com/a.png", "it is an address: download"],
  ["C:\\data\\img\\a.png", "a path of Windows"],
  ["\\\\server\\img\\a.png", "a path of Windows"],
  ["caf\u00e9.png", "NFD"],
  ["e\u0301te\u0301.png", "NFC"],
  ["Cat.png", "as Cat.PNG"],
  ["CAT.jpg", undefined],
  ["nothing.png", undefined],
])("%s", async (name, expected) => {
  const folder = await temporaryDirectory();
  await mkdir(join(folder, "img"));
  for (const file of ["img/a.png", "cafe\u0301.png", "\u00e9t\u00e9.png", "Cat.PNG"]) {
    await writeFile(join(folder, file), "");
  }
  const said = await otherSpelling(join(folder, name), name);
  if (expected === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(expected);
});
