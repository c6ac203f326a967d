import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { labModelNames } from "../../../lab/models/lab-model.js";
import { weightsDirectory } from "../../../lab/models/weights.js";
import type { Finding } from "./check.js";

/** Whether every lab model has its graphs, how large they are, and their hashes. */
export async function weightsFinding(
  advice: string,
  directory: URL = weightsDirectory,
): Promise<Finding> {
  const found: string[] = [];
  let bytesOfAll = 0;
  const missing: string[] = [];
  for (const model of labModelNames) {
    const folder = new URL(`${model}/onnx/`, directory);
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".onnx"));
    if (names.length === 0) missing.push(model);
    for (const name of names.sort()) {
      const bytes = await readFile(new URL(name, folder));
      const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
      bytesOfAll += bytes.length;
      found.push(`${model}/${name} ${(bytes.length / 1e6).toFixed(2)} MB ${hash}`);
    }
  }
  if (missing.length === 0) {
    const summary = `${found.length} files, ${(bytesOfAll / 1e6).toFixed(1)} MB; --json lists their hashes`;
    return { state: "ok", detail: found.join("; "), summary };
  }
  return { state: "wrong", detail: `no weights for ${missing.join(", ")}`, advice };
}
