// Copies the three files of onnxruntime-web that Node needs into dist/onnxruntime: 14 MB of the package's 139.
import { copyFile, mkdir } from "node:fs/promises";

const source = new URL("../node_modules/onnxruntime-web/dist/", import.meta.url);
const target = new URL("../dist/onnxruntime/", import.meta.url);
const files = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];

await mkdir(target, { recursive: true });
await Promise.all(files.map((file) => copyFile(new URL(file, source), new URL(file, target))));
