import { readdir, stat } from "node:fs/promises";

/** The files of a model's folder. */
export interface WeightSizes {
  /** Bytes by path within the folder, such as "onnx/vision_model.onnx". */
  readonly files: Readonly<Record<string, number>>;
  readonly total: number;
}

export async function weightSizes(directory: URL): Promise<WeightSizes> {
  const entries = await readdir(directory, { recursive: true, encoding: "utf8" });
  const files: Record<string, number> = {};
  for (const name of entries.map((entry) => entry.replaceAll("\\", "/")).sort()) {
    const found = await stat(new URL(name, directory));
    if (found.isFile()) files[name] = found.size;
  }
  const total = Object.values(files).reduce((sum, size) => sum + size, 0);
  return { files, total };
}
