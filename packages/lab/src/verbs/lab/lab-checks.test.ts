import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";
import { labModelNames } from "../../models/lab-model.js";
import { weightsFinding } from "./lab-checks.js";

describe("weightsFinding", () => {
  it("lists each graph with size and hash, or names the models that have none", async () => {
    const folder = await temporaryDirectory();
    const directory = pathToFileURL(`${folder}/`);
    expect(await weightsFinding("Install it", directory)).toEqual({
      state: "wrong",
      detail: `no weights for ${labModelNames.join(", ")}`,
      advice: "Install it",
    });
    for (const model of labModelNames) {
      await mkdir(join(folder, model, "onnx"), { recursive: true });
      await writeFile(join(folder, model, "onnx", "model.onnx"), "abc");
    }
    const finding = await weightsFinding("Install it", directory);
    expect(finding.state).toBe("ok");
    expect(finding.summary).toBe(
      `${labModelNames.length} files, 0.0 MB; --json lists their hashes`,
    );
    // SHA-256 of "abc", FIPS 180-2, appendix B.1.
    expect(finding.detail).toContain("vqa/model.onnx 0.00 MB ba7816bf8f01");
  });
});
