// Paints scenes and shows one garment or one coloured thing of each by every strategy of L-VQAScore, with
// questions about that one alone.
//
//   node training/localised/looks.mjs --out DIR --scenes 3000 --seed NAME
//
// Masks are those that lab:localizer finds, as in L-VQAScore; where it finds nothing all six pictures are the
// whole one. At times a thing is sought that is not there. Needs the built package.
//
// Per scene: pixels (6 strategies x 96 x 96 x 3), questions (6 x 24 token ids of 16 bits), answers (6),
// things (1: a thing, 0: a garment). data.json has the strategies in their order.

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { randomFrom } from "../../dist/core/random.js";
import { localizationStrategies, localize } from "../../dist/images/localize.js";
import { pictureOfPixels } from "../../dist/images/pixels-picture.js";
import { shrink } from "../../dist/images/shrink.js";
import { asRead } from "../../packages/lab/dist/as-read.js";
import { labModel } from "../../packages/lab/dist/models/lab-model.js";
import { readTokenizer } from "../../packages/lab/dist/models/tokenizer.js";
import { weightsDirectory } from "../../packages/lab/dist/models/weights.js";
import { paint } from "../../packages/lab/dist/painter/paint.js";
import { hasDrawing, styleNames } from "../../packages/lab/dist/painter/sprites.js";
import { itemPhrase } from "../../packages/lab/dist/world/english.js";
import { garmentKinds } from "../../packages/lab/dist/world/people.js";
import { askAboutGarment } from "../../packages/lab/dist/world/people-questions.js";
import { statementQuestion } from "../../packages/lab/dist/world/questions.js";
import { samplePeopleScene, sampleScene } from "../../packages/lab/dist/world/sample.js";
import { colours, extraKinds, subjects } from "../../packages/lab/dist/world/vocabulary.js";

const side = 96;
const questionsPerScene = 6;
const questionTokens = 24;
/** P(the scene is of things), and of these P(a thing is sought that the painter left out). */
const ofThings = 0.65;
const absent = 0.12;
const kinds = [...subjects.keys()].filter((kind) => hasDrawing(kind));
const coloured = [...extraKinds.values()].filter((extra) => extra.coloured);

/** A painting and what is looked at in it: `name` is sought, `ask` makes a question about it. */
async function paintOne(seed, index) {
  const isThing = randomFrom(seed, index, "sort").chance(ofThings);
  for (let attempt = 0; ; attempt++) {
    const random = randomFrom(seed, index, attempt);
    const scene = isThing
      ? sampleScene(random, kinds)
      : samplePeopleScene(random, { outfit: 1, display: 1 });
    const chosen = isThing ? thingOf(scene, random) : garmentOf(scene, random);
    if (chosen === undefined) continue;
    const style = random.pick(styleNames());
    const painting = await paint(scene, style, `${seed}/${index}/${attempt}`, 24);
    if (painting !== undefined) return { canvas: painting.canvas, isThing, random, ...chosen };
  }
}

function thingOf({ subject, extras }, random) {
  const told = extras.filter(({ colour }) => colour !== undefined);
  // One alone is nothing to confuse it with.
  if (new Set(told.map(({ colour }) => colour)).size < 2) return undefined;
  const there = extras.map(({ kind }) => kind);
  const others = coloured.filter(({ kind }) => !there.includes(kind) && kind !== subject);
  const thing = random.chance(absent) ? { kind: random.pick(others).kind } : random.pick(told);
  return { name: thing.kind, ask: () => askAboutThing(thing, told, random) };
}

/** A colour that the thing lacks is mostly another's. */
function askAboutThing({ kind, colour: own }, told, random) {
  const answer = own !== undefined && random.chance(0.5);
  const others = told.map(({ colour }) => colour).filter((colour) => colour !== own);
  const from = random.chance(0.6) ? others : colours.filter((colour) => colour !== own);
  const colour = answer ? own : random.pick(from);
  return { text: statementQuestion(itemPhrase({ kind, colour })), answer };
}

function garmentOf({ person, display }, random) {
  const garments = display ?? person.garments;
  const large = garments.filter(({ kind }) => garmentKinds.get(kind).large);
  if (large.length === 0) return undefined;
  const garment = random.pick(large);
  const ask = () =>
    askAboutGarment(garment, garments, { random, answer: random.chance(0.5), alone: true });
  return { name: garment.kind, ask };
}

const tokenizer = readTokenizer(
  await readFile(new URL("vqa/tokenizer.json", weightsDirectory), "utf8"),
);

function tokens(text) {
  const ids = new Uint16Array(questionTokens);
  ids.set(tokenizer.encode(asRead(text)));
  return ids;
}

const localizer = labModel("localizer");

/** The picture by every strategy, one after another. */
async function looksAt({ width, height, data }, name) {
  const whole = { width, height, data };
  const mask = await localizer.localize(pictureOfPixels(whole), name);
  return localizationStrategies.map(
    (strategy) =>
      shrink(mask === undefined ? whole : localize(whole, { mask, strategy }), side, side).data,
  );
}

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    scenes: { type: "string", default: "3000" },
    seed: { type: "string", default: "localised-train" },
  },
});
if (values.out === undefined) throw new Error("Say where the arrays go: --out DIR");
mkdirSync(values.out, { recursive: true });
const scenes = Number(values.scenes);
const { seed } = values;
const file = (name) => openSync(`${values.out}/${name}`, "w");
const files = {
  pixels: file("pixels.u8"),
  questions: file("questions.u16"),
  answers: file("answers.u8"),
  things: file("things.u8"),
};
for (let index = 0; index < scenes; index++) {
  const { canvas, isThing, name, ask } = await paintOne(seed, index);
  for (const pixels of await looksAt(canvas, name)) writeSync(files.pixels, pixels);
  const asked = Array.from({ length: questionsPerScene }, ask);
  for (const { text } of asked) writeSync(files.questions, tokens(text));
  writeSync(
    files.answers,
    Uint8Array.from(asked, ({ answer }) => Number(answer)),
  );
  writeSync(files.things, Uint8Array.of(Number(isThing)));
}
for (const one of Object.values(files)) closeSync(one);
// Last, so that a folder with it is whole.
const layout = { seed, scenes, side, questionsPerScene, questionTokens };
writeFileSync(
  `${values.out}/data.json`,
  `${JSON.stringify({ ...layout, strategies: localizationStrategies }, undefined, 1)}\n`,
);
