// Paints training scenes and writes them as flat arrays that NumPy can map.
//
//   node training/make-data.mjs --out DIR --scenes 400000 --seed train --workers 16
//
// Per scene: pixels (96 x 96 x 3), cells (12 x 12 x 3: kind, colour, is an object's centre),
// captions (2 habits x 4 x 32 token ids), questions (12 x 48 token ids), answers and types (12).
// Worker w of W paints scenes w, w + W, …; the same seed and W give the same bytes.

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { randomFrom } from "../dist/core/random.js";
import { shrink } from "../dist/images/shrink.js";
import { paint } from "../dist/lab/painter/paint.js";
import { hasDrawing, styleNames } from "../dist/lab/painter/sprites.js";
import { sampleCaption } from "../dist/lab/world/captions.js";
import { questionTypes, sampleQuestion } from "../dist/lab/world/questions.js";
import { sampleScene } from "../dist/lab/world/sample.js";
import { colours, extraKinds, subjects } from "../dist/lab/world/vocabulary.js";
import { labWords } from "../dist/lab/world/words.js";

const side = 96;
const cells = 12;
const captionsPerHabit = 4;
const captionTokens = 32;
const questionsPerScene = 12;
const questionTokens = 48;
const habits = ["skewed", "balanced"];

const words = ["[pad]", "[unk]", ...labWords()];
const idOf = new Map(words.map((word, id) => [word, id]));
const kinds = [...subjects.keys()].filter((kind) => hasDrawing(kind));
const kindIds = new Map([...kinds, ...extraKinds.keys()].map((kind, index) => [kind, index + 1]));
const colourIds = new Map(colours.map((colour, index) => [colour, index + 1]));

function tokens(text, length) {
  const found = text.toLowerCase().match(/[a-z-]+|[^\sa-z-]/g) ?? [];
  if (found.length > length) throw new RangeError(`${found.length} tokens in "${text}"`);
  const ids = new Uint8Array(length);
  found.forEach((word, index) => {
    const id = idOf.get(word);
    if (id === undefined) throw new RangeError(`No token for "${word}" in "${text}"`);
    ids[index] = id;
  });
  return ids;
}

async function paintAny(seed, index) {
  for (let attempt = 0; ; attempt++) {
    const random = randomFrom(seed, index, attempt);
    const scene = sampleScene(random, kinds);
    // Of crowded scenes there are enough: after few layouts another scene is painted instead.
    const style = random.pick(styleNames());
    const painting = await paint(scene, style, `${seed}/${index}/${attempt}`, 24);
    if (painting !== undefined) return painting;
  }
}

/** Per cell: the kind and colour that own most of it, and whether an object's centre lies in it. */
function cellLabels({ canvas, objects }) {
  const size = canvas.width / cells;
  const labels = new Uint8Array(cells * cells * 3);
  const sums = objects.map(() => ({ x: 0, y: 0, n: 0 }));
  for (let cell = 0; cell < cells * cells; cell++) {
    const votes = new Uint16Array(objects.length + 1);
    for (let offset = 0; offset < size * size; offset++) {
      const x = (cell % cells) * size + (offset % size);
      const y = Math.floor(cell / cells) * size + Math.floor(offset / size);
      const owner = canvas.owners[y * canvas.width + x];
      votes[owner]++;
      if (owner > 0) {
        sums[owner - 1].x += x;
        sums[owner - 1].y += y;
        sums[owner - 1].n++;
      }
    }
    let winner = 0;
    for (let owner = 1; owner < votes.length; owner++) {
      if (votes[owner] > (winner === 0 ? (size * size) / 4 : votes[winner])) winner = owner;
    }
    if (winner === 0) continue;
    const { kind, colour } = objects[winner - 1];
    labels[cell * 3] = kindIds.get(kind);
    labels[cell * 3 + 1] = colourIds.get(colour) ?? 0;
  }
  objects.forEach((object, index) => {
    const { x, y, n } = sums[index];
    const cell = Math.floor(y / n / size) * cells + Math.floor(x / n / size);
    labels[cell * 3 + 2] = kindIds.get(object.kind);
  });
  return labels;
}

function questionsAbout(scene, random) {
  // Half of the questions are statements: they hold every other type, and VQAScore asks them.
  const asked = [];
  while (asked.length < questionsPerScene) {
    const type = asked.length % 2 === 0 ? "statement" : random.pick(questionTypes);
    const question = sampleQuestion(type, scene, random);
    if (question !== undefined) asked.push(question);
  }
  return asked;
}

async function work({ out, scenes, seed, worker, workers }) {
  const open = (name) => openSync(`${out}/${name}-${String(worker).padStart(3, "0")}.u8`, "w");
  const names = ["pixels", "cells", "captions", "questions", "answers", "types"];
  const files = Object.fromEntries(names.map((name) => [name, open(name)]));
  for (let index = worker; index < scenes; index += workers) {
    const painting = await paintAny(seed, index);
    const random = randomFrom(seed, index, "text");
    const captions = habits.flatMap((habit) =>
      Array.from({ length: captionsPerHabit }, () =>
        tokens(sampleCaption(painting.scene, habit, random), captionTokens),
      ),
    );
    const questions = questionsAbout(painting.scene, random);
    writeSync(files.pixels, shrink(painting.canvas, side, side).data);
    writeSync(files.cells, cellLabels(painting));
    for (const caption of captions) writeSync(files.captions, caption);
    for (const { text } of questions) writeSync(files.questions, tokens(text, questionTokens));
    writeSync(
      files.answers,
      Uint8Array.from(questions, ({ answer }) => Number(answer)),
    );
    writeSync(
      files.types,
      Uint8Array.from(questions, ({ type }) => questionTypes.indexOf(type)),
    );
  }
  for (const file of Object.values(files)) closeSync(file);
}

if (isMainThread) {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      scenes: { type: "string", default: "1000" },
      seed: { type: "string", default: "train" },
      workers: { type: "string", default: "1" },
    },
  });
  if (values.out === undefined) throw new Error("Say where the arrays go: --out DIR");
  const workers = Number(values.workers);
  const shared = { out: values.out, scenes: Number(values.scenes), seed: values.seed, workers };
  mkdirSync(values.out, { recursive: true });
  const layout = {
    side,
    cells,
    habits,
    captionsPerHabit,
    captionTokens,
    questionsPerScene,
    questionTokens,
  };
  const kindNames = [...kindIds.keys()];
  writeFileSync(
    `${values.out}/data.json`,
    JSON.stringify(
      { ...shared, out: undefined, ...layout, words, kinds: kindNames, colours, questionTypes },
      null,
      1,
    ),
  );
  await Promise.all(
    Array.from({ length: workers }, (_, worker) => {
      const thread = new Worker(new URL(import.meta.url), { workerData: { ...shared, worker } });
      return new Promise((resolve, reject) => thread.on("exit", resolve).on("error", reject));
    }),
  );
} else {
  await work(workerData);
}
