// A program that asks a model behind a bridge and is done, or is ended while it waits:
// `node bridged-program.mjs PYTHON (done | waiting)`. It prints the process behind the model.
import { pythonBridge } from "../../dist/models/python-bridge/python-bridge.js";

const [python, what] = process.argv.slice(2);
const model = pythonBridge("stub", { python, model: "moody" });
const bytes = Uint8Array.of(1, 2, 3);
const image = { bytes, pixels: async () => ({ width: 1, height: 1, data: bytes }) };
console.log(JSON.stringify({ value: await model.reward(image, "a cat"), pid: model.pid }));
if (what === "waiting") await model.reward(image, "hang");
