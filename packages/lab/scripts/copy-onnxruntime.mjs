// Copies the three files of onnxruntime-web that Node needs into dist/onnxruntime: 14 MB of the package's 139.
// Scripts lose the line that names their source map, which is not there.
import { mkdir, readFile, writeFile } from "node:fs/promises";

const source = new URL("./", import.meta.resolve("onnxruntime-web/wasm"));
const target = new URL("../dist/onnxruntime/", import.meta.url);
const files = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];

await mkdir(target, { recursive: true });
for (const file of files) {
  const content = await readFile(new URL(file, source));
  const named = file.endsWith(".mjs") ? content.lastIndexOf("//# sourceMappingURL=") : -1;
  await writeFile(new URL(file, target), named < 0 ? content : content.subarray(0, named));
}
