// Each adapter gives a model that metrics, judges and generators take.

import {
  answersQuestions,
  cachedChat,
  cachedEmbedder,
  chatDecomposer,
  fal,
  folderGenerator,
  givenMasks,
  hps,
  ImageIndex,
  imageReward,
  mllmRating,
  openAiCompatible,
  openAiEmbeddings,
  openAiImages,
  openPictureFile,
  pickScore,
  promptRating,
  protoScore,
  pythonBridge,
  ReplyStore,
  readTable,
  recordedGenerator,
  recordedModel,
  replicate,
  segmentHttp,
  transformersJs,
  transformersJsChat,
  transformersJsLocalizer,
  transformersJsSiglip,
  vqaRating,
} from "touchstone-t2i";
import { checkSight } from "touchstone-t2i/runs";
import { text } from "touchstone-t2i/tables";

const replies = new ReplyStore("replies");
const server = openAiCompatible("qwen3-vl", { baseUrl: "http://localhost:8000/v1" });
const model = cachedChat(server, replies);
console.log((await checkSight(model, { seed: Date.now() })).state); // whether it sees images
export const metrics = [
  vqaRating({ model: answersQuestions(model) }),
  mllmRating({ model }),
  promptRating({ model: transformersJsChat("HuggingFaceTB/SmolVLM-256M-Instruct") }),
  protoScore({ model }),
  pickScore({ model: transformersJs("Xenova/clip-vit-base-patch32") }),
  hps({ model: pythonBridge("hpsv2") }),
  imageReward({ model: pythonBridge("image-reward") }),
];
export const encoders = [
  cachedEmbedder(openAiEmbeddings("jina-clip-v2"), replies),
  transformersJsSiglip("onnx-community/siglip2-base-patch16-224-ONNX"),
];
export const decomposer = chatDecomposer({ model });
export const finders = [
  transformersJsLocalizer("onnx-community/grounding-dino-tiny-ONNX"),
  segmentHttp("http://localhost:9000"),
  await givenMasks("masks.jsonl"),
];
export const generators = [
  openAiImages("gpt-image-1"),
  replicate("black-forest-labs/flux-schnell"),
  fal("fal-ai/flux/schnell"),
  folderGenerator({ directory: "images", index: await ImageIndex.open("images") }),
  await recordedGenerator("recorded"),
  await recordedModel("recorded"),
];
const source = { name: "items.csv", path: "items.csv" };
for await (const { row } of readTable({ source, columns: { image: text } })) {
  console.log((await openPictureFile(row.image)).width);
}
