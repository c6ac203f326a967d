import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { labModelNames } from "../../packages/lab/src/models/lab-model.js";
import { type TinyGraph, writeOnnx } from "./onnx-writer.js";

/** Words and marks of the tiny models; a word's id is its place. */
const tinyWords = [
  "[pad]",
  "[unk]",
  "a",
  "red",
  "blue",
  "t-shirt",
  ".",
  "?",
  '"',
  "does",
  "this",
  "figure",
  "show",
  "please",
  "answer",
  "yes",
  "or",
  "no",
];

const side = 96;
const length = 16;

/** What the tiny models know of a word: how red, green and blue it is. */
const tinyMeaning = (word: string): [number, number, number] =>
  word === "red" ? [1, 0, 0] : word === "blue" ? [0, 0, 1] : [0, 0, 0];

const table = {
  name: "words",
  type: "float32",
  shape: [tinyWords.length, 3],
  values: tinyWords.flatMap(tinyMeaning),
} as const;
const pixels = { name: "pixel_values", type: "float32", shape: [1, 3, side, side] } as const;

/** Mean colour of the picture. */
const visionModel: TinyGraph = {
  inputs: [pixels],
  outputs: [{ name: "image_embeds", type: "float32", shape: [1, 3] }],
  constants: [],
  nodes: [
    {
      operator: "ReduceMean",
      inputs: ["pixel_values"],
      output: "image_embeds",
      attributes: { axes: [2, 3], keepdims: 0 },
    },
  ],
};

/** Sum of the words' colours. */
const textModel: TinyGraph = {
  inputs: [{ name: "input_ids", type: "int64", shape: ["texts", "length"] }],
  outputs: [{ name: "text_embeds", type: "float32", shape: ["texts", 3] }],
  constants: [table, { name: "axis", type: "int64", shape: [1], values: [1] }],
  nodes: [
    { operator: "Gather", inputs: ["words", "input_ids"], output: "colours" },
    {
      operator: "ReduceSum",
      inputs: ["colours", "axis"],
      output: "text_embeds",
      attributes: { keepdims: 0 },
    },
  ],
};

/** Mean colours of a 3 x 3 grid. */
const featureModel: TinyGraph = {
  inputs: [pixels],
  outputs: [{ name: "features", type: "float32", shape: [1, 3, 3, 3] }],
  constants: [],
  nodes: [
    {
      operator: "AveragePool",
      inputs: ["pixel_values"],
      output: "features",
      attributes: { kernel_shape: [32, 32], strides: [32, 32] },
    },
  ],
};

/** The mean colour times the words' colours. */
const answerModel: TinyGraph = {
  inputs: [
    { name: "features", type: "float32", shape: [1, 3, 3, 3] },
    { name: "input_ids", type: "int64", shape: ["asked", "length"] },
  ],
  outputs: [{ name: "logits", type: "float32", shape: ["asked"] }],
  constants: [table, { name: "axis", type: "int64", shape: [1], values: [1] }],
  nodes: [
    {
      operator: "ReduceMean",
      inputs: ["features"],
      output: "seen",
      attributes: { axes: [2, 3], keepdims: 0 },
    },
    { operator: "Gather", inputs: ["words", "input_ids"], output: "colours" },
    {
      operator: "ReduceSum",
      inputs: ["colours", "axis"],
      output: "asked_for",
      attributes: { keepdims: 0 },
    },
    { operator: "Mul", inputs: ["seen", "asked_for"], output: "both" },
    {
      operator: "ReduceSum",
      inputs: ["both", "axis"],
      output: "logits",
      attributes: { keepdims: 0 },
    },
  ],
};

/** A sign for each colour, as sure as the picture has it on the mean. */
const signModel: TinyGraph = {
  inputs: [{ name: "features", type: "float32", shape: [1, 3, 3, 3] }],
  outputs: [{ name: "logits", type: "float32", shape: [1, 3] }],
  constants: [],
  nodes: [
    {
      operator: "ReduceMean",
      inputs: ["features"],
      output: "logits",
      attributes: { axes: [2, 3], keepdims: 0 },
    },
  ],
};
const tinySigns = ["cross necklace", "crescent necklace", "heart bubble"];

/** For each place its colours times the words' colours. */
const maskModel: TinyGraph = {
  inputs: answerModel.inputs,
  outputs: [{ name: "logits", type: "float32", shape: ["asked", 3, 3] }],
  constants: [
    table,
    { name: "axis", type: "int64", shape: [1], values: [1] },
    { name: "places", type: "int64", shape: [2], values: [2, 3] },
  ],
  nodes: [
    { operator: "Gather", inputs: ["words", "input_ids"], output: "colours" },
    {
      operator: "ReduceSum",
      inputs: ["colours", "axis"],
      output: "sought",
      attributes: { keepdims: 0 },
    },
    { operator: "Unsqueeze", inputs: ["sought", "places"], output: "everywhere" },
    { operator: "Mul", inputs: ["features", "everywhere"], output: "both" },
    {
      operator: "ReduceSum",
      inputs: ["both", "axis"],
      output: "logits",
      attributes: { keepdims: 0 },
    },
  ],
};

/** The logits of 1 to 4: the mean colour times the words' colours, once for each word of the instruction. */
const ratingModel: TinyGraph = {
  inputs: [
    ...answerModel.inputs,
    { name: "instruction_ids", type: "int64", shape: ["asked", "words"] },
  ],
  outputs: [{ name: "logits", type: "float32", shape: ["asked", 4] }],
  constants: [
    table,
    { name: "axis", type: "int64", shape: [1], values: [1] },
    { name: "one", type: "int64", shape: [1], values: [1] },
    {
      name: "instructions",
      type: "float32",
      shape: [512, 4],
      // Every word of an instruction pulls to 4 where the colours agree, to 1 where they do not.
      values: Array.from({ length: 512 }, () => [-1, 0, 0, 1]).flat(),
    },
  ],
  nodes: [
    ...answerModel.nodes.map((node) =>
      node.output === "logits" ? { ...node, output: "agreement" } : node,
    ),
    { operator: "Gather", inputs: ["instructions", "instruction_ids"], output: "pulls" },
    {
      operator: "ReduceSum",
      inputs: ["pulls", "axis"],
      output: "pull",
      attributes: { keepdims: 0 },
    },
    { operator: "Unsqueeze", inputs: ["agreement", "one"], output: "column" },
    { operator: "Mul", inputs: ["column", "pull"], output: "logits" },
  ],
};

/** The mean colour times the words' colours, not yet added up. */
const seenModel: TinyGraph = {
  inputs: answerModel.inputs,
  outputs: [{ name: "seen", type: "float32", shape: ["asked", 3] }],
  constants: answerModel.constants,
  nodes: [
    {
      operator: "ReduceMean",
      inputs: ["features"],
      output: "mean",
      attributes: { axes: [2, 3], keepdims: 0 },
    },
    { operator: "Gather", inputs: ["words", "input_ids"], output: "colours" },
    {
      operator: "ReduceSum",
      inputs: ["colours", "axis"],
      output: "asked_for",
      attributes: { keepdims: 0 },
    },
    { operator: "Mul", inputs: ["mean", "asked_for"], output: "seen" },
  ],
};

/**
 * How much more the first agrees, half of it for the first and half against the second, once for each
 * word of the instruction; of a tie 0.
 */
const judgeModel: TinyGraph = {
  inputs: [
    { name: "first", type: "float32", shape: ["pairs", 3] },
    { name: "second", type: "float32", shape: ["pairs", 3] },
    { name: "instruction_ids", type: "int64", shape: ["pairs", "words"] },
  ],
  outputs: [{ name: "logits", type: "float32", shape: ["pairs", 3] }],
  constants: [
    { name: "axis", type: "int64", shape: [1], values: [1] },
    {
      name: "instructions",
      type: "float32",
      shape: [512, 3],
      values: Array.from({ length: 512 }, () => [0.5, -0.5, 0]).flat(),
    },
  ],
  nodes: [
    { operator: "Sub", inputs: ["first", "second"], output: "apart" },
    {
      operator: "ReduceSum",
      inputs: ["apart", "axis"],
      output: "lead",
      attributes: { keepdims: 1 },
    },
    { operator: "Gather", inputs: ["instructions", "instruction_ids"], output: "pulls" },
    {
      operator: "ReduceSum",
      inputs: ["pulls", "axis"],
      output: "pull",
      attributes: { keepdims: 0 },
    },
    { operator: "Mul", inputs: ["lead", "pull"], output: "logits" },
  ],
};

/**
 * A folder of weights in `root` as the lab's (in the layout of Hugging Face CLIP models), whose every
 * answer can be computed by hand.
 */
export async function tinyWeights(root: string): Promise<URL> {
  for (const name of labModelNames.filter((one) => one.startsWith("dual-encoder"))) {
    await writeModel(join(root, name), { vision_model: visionModel, text_model: textModel });
  }
  for (const name of ["vqa", "vqa-small", "filter-vqa"]) {
    await writeModel(join(root, name), { vision_model: featureModel, answer_model: answerModel });
  }
  for (const [name, eyes] of [
    ["vqa-people", "vqa"],
    ["filter-people", "vqa-small"],
  ] as const) {
    await writeModel(
      join(root, name),
      { sign_model: signModel },
      { vision_model: `../${eyes}/onnx/vision_model.onnx`, signs: tinySigns },
    );
  }
  for (const name of ["localizer", "localizer-small"]) {
    await writeModel(join(root, name), { vision_model: featureModel, mask_model: maskModel });
  }
  await writeModel(
    join(root, "rater"),
    { rating_model: ratingModel },
    { vision_model: "../judge/onnx/vision_model.onnx" },
  );
  await writeModel(
    join(root, "judge"),
    { vision_model: featureModel, reader_model: seenModel, judge_model: judgeModel },
    { sharpness: 2 },
  );
  return pathToFileURL(`${root}/`);
}

const specialToken = {
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
};

async function writeModel(
  folder: string,
  graphs: Readonly<Record<string, TinyGraph>>,
  settings: Readonly<Record<string, number | string | readonly string[]>> = {},
) {
  await mkdir(join(folder, "onnx"), { recursive: true });
  for (const [name, graph] of Object.entries(graphs)) {
    await writeFile(join(folder, "onnx", `${name}.onnx`), writeOnnx(graph));
  }
  const write = (name: string, value: unknown) =>
    writeFile(join(folder, name), JSON.stringify(value));
  await write("config.json", {
    model_type: "clip",
    text_config: { max_position_embeddings: length },
    ...settings,
  });
  await write("preprocessor_config.json", {
    image_processor_type: "CLIPImageProcessor",
    do_resize: true,
    resample: 2,
    do_center_crop: false,
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: true,
    size: { width: side, height: side },
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
  });
  await write("tokenizer_config.json", {
    tokenizer_class: "PreTrainedTokenizerFast",
    model_max_length: length,
    pad_token: "[pad]",
    unk_token: "[unk]",
  });
  await write("tokenizer.json", {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: ["[pad]", "[unk]"].map((content, id) => ({ ...specialToken, id, content })),
    normalizer: { type: "Lowercase" },
    pre_tokenizer: {
      type: "Split",
      pattern: { Regex: "[a-z-]+|[^\\sa-z-]" },
      behavior: "Removed",
      invert: true,
    },
    post_processor: null,
    decoder: null,
    model: {
      type: "WordLevel",
      unk_token: "[unk]",
      vocab: Object.fromEntries(tinyWords.map((word, id) => [word, id])),
    },
  });
}
