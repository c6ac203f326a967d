// Paints training scenes and writes them as flat arrays that NumPy can map.
//
//   node training/make-data.mjs --out DIR --scenes 400000 --seed train --workers 16
//     [--people 0.5] [--mix 4,4,2,0] [--localised 0.2] [--styles noto,twemoji] [--cells 12] [--masks]
//     [--ask gender,age] [--exchange 0.5]
//
// --people is the share of scenes with people or clothes, --mix what these are (a person alone in an
// outfit, a person with things beside, clothes on display, a person with things beside who is of a group
// and has an attribute), --localised the share of the outfits and
// displays that are shown as L-VQAScore looks at one garment: cropped, the rest blurred. --styles
// are those that are painted in (all of them, where it is not given): what is left out is unseen.
// --ask are the types of the questions about scenes with people, where they shall not be of every type.
// --exchange is the share of the questions that say of two things or more, or of two garments or more,
// every colour and pattern, and are false where two have each other's; where it is not 0 every scene has
// two that differ so.
//
// Per scene: pixels (96 x 96 x 3), cells (12 x 12 x 5: kind, colour, the kind of an object whose
// centre it is, pattern, object), captions (2 habits x 4 x 32 token ids of 16 bits), questions
// (12 x 48 token ids of 16 bits), answers and types (12), styles (1), prompts (6 x 32 token ids) and
// what is wrong with them (6 faults: nothing, one thing, several, the subject), signs (51: 1 for what the
// person wears or shows). With --masks: owners (96 x 96: the object
// of each pixel, 0 for none) and objects (40 x 5: kind, colour, pattern, role, visible of 255; object
// n is row n - 1). data.json names what the numbers stand for; 0 is none of them.
// Worker w of W paints scenes w, w + W, …; the same seed and W give the same bytes.

import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { parse } from "yaml";
import { randomFrom } from "../dist/core/random.js";
import { localize } from "../dist/images/localize.js";
import { shrink } from "../dist/images/shrink.js";
import { asRead } from "../packages/lab/dist/as-read.js";
import { instructionIds } from "../packages/lab/dist/models/instruction-words.js";
import { paint } from "../packages/lab/dist/painter/paint.js";
import { hasDrawing, styleNames } from "../packages/lab/dist/painter/sprites.js";
import { sampleCaption } from "../packages/lab/dist/world/captions.js";
import { describe } from "../packages/lab/dist/world/english.js";
import { faultySentences, sentenceFaults } from "../packages/lab/dist/world/faulty-sentences.js";
import { labWords } from "../packages/lab/dist/world/lab-words.js";
import {
  areasOf,
  attributes,
  garmentColours,
  garmentKinds,
  hairColours,
  patterns,
  peopleExtras,
  signKinds,
  skinTones,
} from "../packages/lab/dist/world/people.js";
import { askAboutGarment } from "../packages/lab/dist/world/people-questions.js";
import { tellGarment } from "../packages/lab/dist/world/people-statements.js";
import {
  everyQuestionType,
  questionTypes,
  sampleQuestion,
  statementQuestion,
} from "../packages/lab/dist/world/questions.js";
import { samplePeopleScene, sampleScene } from "../packages/lab/dist/world/sample.js";
import { holds } from "../packages/lab/dist/world/truth.js";
import { colours, extraKinds, hypernyms, subjects } from "../packages/lab/dist/world/vocabulary.js";

const side = 96;
const captionsPerHabit = 4;
const captionTokens = 32;
const questionsPerScene = 12;
const questionTokens = 48;
const promptsPerScene = 6;
const habits = ["skewed", "balanced"];
const mostObjects = 40;
const cellLayers = ["kind", "colour", "centre", "pattern", "object"];
const objectMembers = ["kind", "colour", "pattern", "role", "visible"];
const roles = ["body", "garment", "sign"];

const words = ["[pad]", "[unk]", ...labWords()];
const idOf = new Map(words.map((word, id) => [word, id]));
const kinds = [...subjects.keys()].filter((kind) => hasDrawing(kind));
const unsaid = [...attributes.values()]
  .flatMap(({ shows }) => shows)
  .filter((sign) => !signKinds.has(sign));
const numbered = (names) => new Map([...new Set(names)].map((name, index) => [name, index + 1]));
const kindIds = numbered([
  ...kinds,
  ...extraKinds.keys(),
  ...peopleExtras.keys(),
  ...["body", "head", "hair", "hanger"],
  ...garmentKinds.keys(),
  ...signKinds.keys(),
  ...unsaid,
]);
const colourIds = numbered([
  ...colours,
  ...garmentColours,
  ...skinTones.map((tone) => `skin ${tone}`),
  ...hairColours.map((colour) => `hair ${colour}`),
]);
const patternIds = numbered(patterns);
const everySign = [...new Set([...signKinds.keys(), ...unsaid])];
/** What can be sought by name, of which sort it is, and the kinds that are called so; of a person every part is. */
const entities = [
  ...kinds.map((name) => ({ name, sort: "thing", kinds: [name] })),
  ...[...extraKinds.values(), ...peopleExtras.values()].flatMap(({ kind, plural }) =>
    [kind, plural].map((name) => ({ name, sort: "thing", kinds: [kind] })),
  ),
  ...[...garmentKinds.keys()].map((name) => ({ name, sort: "garment", kinds: [name] })),
  ...[...signKinds.keys()].map((name) => ({ name, sort: "sign", kinds: [name] })),
  ...[...hypernyms.keys()].map((name) => ({
    name,
    sort: "hypernym",
    kinds: kinds.filter((kind) => subjects.get(kind).hypernym === name),
  })),
  { name: "person", sort: "hypernym", kinds: [] },
];
if (kindIds.size > 255) throw new RangeError(`${kindIds.size} kinds do not fit a byte`);

function tokens(text, length) {
  const found =
    asRead(text)
      .toLowerCase()
      .match(/[a-z-]+|[^\sa-z-]/g) ?? [];
  if (found.length > length) return undefined;
  const ids = new Uint16Array(length);
  found.forEach((word, index) => {
    const id = idOf.get(word);
    if (id === undefined) throw new RangeError(`No token for "${word}" in "${text}"`);
    ids[index] = id;
  });
  return ids;
}

async function paintAny({ seed, people, mix, styles, exchange }, index) {
  for (let attempt = 0; ; attempt++) {
    const random = randomFrom(seed, index, attempt);
    const peopled = randomFrom(seed, index, "people").chance(people);
    const scene = peopled ? samplePeopleScene(random, mix) : sampleScene(random, kinds);
    if (exchange > 0 && distinctOnes(scene).length < 2) continue;
    // Of crowded scenes there are enough: after few layouts another scene is painted instead.
    const style = random.pick(styles);
    const painting = await paint(scene, style, `${seed}/${index}/${attempt}`, 24);
    if (painting !== undefined) return { ...painting, style };
  }
}

/** What is shown of a painting: all of it, or one garment as L-VQAScore looks at it. */
function viewOf(painting, localised, random) {
  const { canvas, objects, scene } = painting;
  const worn = objects.flatMap(({ role, kind }, index) =>
    role === "garment" && garmentKinds.get(kind).large ? [index] : [],
  );
  if (worn.length === 0 || scene.extras.length > 0 || !random.chance(localised)) {
    return { pixels: canvas, owners: canvas.owners };
  }
  const object = random.pick(worn);
  const size = { width: canvas.width, height: canvas.height };
  const inside = canvas.owners.map((owner) => Number(owner === object + 1));
  const mask = { ...size, data: inside };
  // Black on white, since what is left free of a crop is white.
  const shape = new Uint8Array(inside.length * 3);
  for (let at = 0; at < shape.length; at++) shape[at] = inside[Math.floor(at / 3)] === 1 ? 0 : 255;
  const moved = localize({ ...size, data: shape }, { mask, strategy: "cropping" });
  return {
    pixels: localize(canvas, { mask, strategy: "blurring+cropping" }),
    owners: inside.map((_, pixel) => (moved.data[pixel * 3] < 128 ? object + 1 : 0)),
    garment: objects[object],
  };
}

const kindOf = ({ kind }) => kindIds.get(kind === "face" ? "head" : kind);

function colourOf({ kind, colour, role }) {
  if (role !== "body") return colourIds.get(colour) ?? 0;
  return colourIds.get(`${kind === "hair" ? "hair" : "skin"} ${colour}`) ?? 0;
}

/** Per cell: what owns most of it, and whether an object's centre lies in it. */
function cellLabels({ pixels, owners }, objects, cells) {
  const size = pixels.width / cells;
  const layers = cellLayers.length;
  const labels = new Uint8Array(cells * cells * layers);
  const sums = objects.map(() => ({ x: 0, y: 0, n: 0 }));
  for (let cell = 0; cell < cells * cells; cell++) {
    const votes = new Uint16Array(objects.length + 1);
    for (let offset = 0; offset < size * size; offset++) {
      const x = (cell % cells) * size + (offset % size);
      const y = Math.floor(cell / cells) * size + Math.floor(offset / size);
      const owner = owners[y * pixels.width + x];
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
    const object = objects[winner - 1];
    labels[cell * layers] = kindOf(object);
    labels[cell * layers + 1] = colourOf(object);
    labels[cell * layers + 3] = patternIds.get(object.pattern) ?? 0;
    labels[cell * layers + 4] = winner;
  }
  objects.forEach((object, index) => {
    const { x, y, n } = sums[index];
    if (n === 0 || object.kind === "face") return;
    const cell = Math.floor(y / n / size) * cells + Math.floor(x / n / size);
    labels[cell * layers + 2] = kindOf(object);
  });
  return labels;
}

/** The owner of every second pixel of every second row. */
function shrunkOwners({ owners, pixels }) {
  const step = pixels.width / side;
  return Uint8Array.from(
    { length: side * side },
    (_, at) => owners[Math.floor(at / side) * step * pixels.width + (at % side) * step],
  );
}

function objectRows(objects) {
  const rows = new Uint8Array(mostObjects * objectMembers.length);
  if (objects.length > mostObjects) throw new RangeError(`${objects.length} objects in a scene`);
  objects.forEach((object, index) => {
    rows.set(
      [
        kindOf(object),
        colourOf(object),
        patternIds.get(object.pattern) ?? 0,
        roles.indexOf(object.role) + 1,
        Math.round(object.visible * 255),
      ],
      index * objectMembers.length,
    );
  });
  return rows;
}

/** Things or garments that differ in colour or pattern, all that the scene has. */
function distinctOnes({ person, display, extras }) {
  const all = person?.garments ?? display ?? extras.filter(({ colour }) => colour !== undefined);
  const looks = new Set(all.map(({ colour, pattern = "" }) => `${colour} ${pattern}`));
  return looks.size > 1 ? all : [];
}

/** A statement that gives two or three of these their colours and patterns, or two of them each other's. */
function exchangedStatement(scene, random) {
  const [first, second, ...rest] = random
    .shuffle(distinctOnes(scene))
    .slice(0, 2 + random.integer(2));
  const looks = ({ colour, pattern }) => (pattern === undefined ? { colour } : { colour, pattern });
  const given = random.chance(0.5)
    ? [first, second, ...rest]
    : [{ ...first, ...looks(second) }, { ...second, ...looks(first) }, ...rest];
  const told = given.map(({ kind, count = 1, ...one }) => ({
    kind,
    ...looks(one),
    ...(count > 1 ? { count } : {}),
  }));
  const said = {
    ...saidWith(told, scene, random),
    ...(random.chance(0.6) ? { place: scene.place } : {}),
  };
  return { type: "statement", text: statementQuestion(describe(said)), answer: holds(said, scene) };
}

function saidWith(told, { subject, person, display }, random) {
  if (display !== undefined) return { subject: { garments: told, onDisplay: true }, extras: [] };
  if (person === undefined) return { subject: { kind: subject }, extras: told };
  const who = random.chance(0.7) ? { gender: person.gender } : {};
  return { subject: { person: { ...who, garments: told, signs: [] } }, extras: [] };
}

const everyType = everyQuestionType.filter((type) => type !== "statement");

function askedType(scene, random, turn) {
  if (scene.person === undefined && scene.display === undefined) {
    // Half of the questions are statements: they hold every other type, and VQAScore asks them.
    if (turn % 2 === 0) return "statement";
    return random.chance(0.05) ? "person" : random.pick(questionTypes);
  }
  return ["statement", "binding", random.pick(everyType)][turn % 3];
}

function questionsAbout(scene, garment, { ask, exchange }, random) {
  const asked = [];
  for (let turn = 0; asked.length < questionsPerScene; turn++) {
    const exchanged = garment === undefined && exchange > 0 && random.chance(exchange);
    const chosen = scene.person !== undefined && ask.length > 0;
    const type =
      garment !== undefined
        ? "binding"
        : chosen
          ? random.pick(ask)
          : askedType(scene, random, turn);
    const question =
      garment !== undefined
        ? { type, ...questionAlone(scene, garment, random) }
        : exchanged
          ? exchangedStatement(scene, random)
          : sampleQuestion(type, scene, random);
    const ids = question && tokens(question.text, questionTokens);
    if (ids !== undefined) asked.push({ ...question, ids });
  }
  return asked;
}

/** Of one garment, as if the others were not to be seen; what it lacks is mostly on them. */
function questionAlone({ person, display }, { kind, colour, pattern }, random) {
  const garments = display ?? person.garments;
  const shown = garments.find(
    (one) => one.kind === kind && one.colour === colour && one.pattern === pattern,
  );
  return askAboutGarment(shown, garments, { random, answer: random.chance(0.5), alone: true });
}

function captionIds(scene, garment, habit, random) {
  for (;;) {
    const caption =
      garment === undefined
        ? sampleCaption(scene, habit, random)
        : describe({
            subject: { garments: [tellGarment(garment, 0.6, random)], onDisplay: false },
            extras: [],
          });
    const ids = tokens(caption, captionTokens);
    if (ids !== undefined) return ids;
  }
}

/** Sentences about a scene with what is wrong with each, as a rater is asked about them. */
const promptsAbout = (scene, random) =>
  faultySentences(scene, {
    count: promptsPerScene,
    kinds,
    random,
    fits: (text) => tokens(text, captionTokens) !== undefined,
  }).map(({ text, fault }) => ({
    ids: tokens(text, captionTokens),
    fault: sentenceFaults.indexOf(fault),
  }));

function instructions() {
  const read = (file) => parse(readFileSync(new URL(file, import.meta.url), "utf8"));
  const { instruction, question, answer } = read("../data/metrics/mllm-rating.yaml");
  const whole = [instruction, question.replace('"{text}"', ""), answer.json].join("\n");
  return read("instructions.yaml").map(({ text, ...rest }) => ({
    ids: instructionIds(text === "mllm-rating" ? whole : text),
    ...rest,
  }));
}

async function work({ out, scenes, worker, workers, cells, masks, ...choice }) {
  const names = [
    "pixels.u8",
    "cells.u8",
    "captions.u16",
    "questions.u16",
    "answers.u8",
    "types.u8",
    "styles.u8",
    "prompts.u16",
    "faults.u8",
    "signs.u8",
  ];
  if (masks) names.push("owners.u8", "objects.u8");
  const files = Object.fromEntries(
    names.map((name) => {
      const [array, type] = name.split(".");
      return [array, openSync(`${out}/${array}-${String(worker).padStart(3, "0")}.${type}`, "w")];
    }),
  );
  for (let index = worker; index < scenes; index += workers) {
    const painting = await paintAny(choice, index);
    const { scene, objects } = painting;
    const view = viewOf(painting, choice.localised, randomFrom(choice.seed, index, "view"));
    const random = randomFrom(choice.seed, index, "text");
    writeSync(files.pixels, shrink(view.pixels, side, side).data);
    writeSync(files.cells, cellLabels(view, objects, cells));
    for (const habit of habits) {
      for (let count = 0; count < captionsPerHabit; count++) {
        writeSync(files.captions, captionIds(scene, view.garment, habit, random));
      }
    }
    const questions = questionsAbout(scene, view.garment, choice, random);
    for (const { ids } of questions) writeSync(files.questions, ids);
    writeSync(
      files.answers,
      Uint8Array.from(questions, ({ answer }) => Number(answer)),
    );
    writeSync(
      files.types,
      Uint8Array.from(questions, ({ type }) => everyQuestionType.indexOf(type)),
    );
    writeSync(files.styles, Uint8Array.of(styleNames().indexOf(painting.style)));
    const prompts = promptsAbout(scene, randomFrom(choice.seed, index, "prompts"));
    for (const { ids } of prompts) writeSync(files.prompts, ids);
    writeSync(
      files.faults,
      Uint8Array.from(prompts, ({ fault }) => fault),
    );
    const shown = scene.person?.signs ?? [];
    writeSync(
      files.signs,
      Uint8Array.from(everySign, (sign) => Number(shown.includes(sign))),
    );
    if (masks) {
      writeSync(files.owners, shrunkOwners(view));
      writeSync(files.objects, objectRows(objects));
    }
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
      people: { type: "string", default: "0.5" },
      mix: { type: "string", default: "4,4,2,0" },
      localised: { type: "string", default: "0.2" },
      ask: { type: "string", default: "" },
      exchange: { type: "string", default: "0" },
      styles: { type: "string", default: styleNames().join(",") },
      cells: { type: "string", default: "12" },
      masks: { type: "boolean", default: false },
    },
  });
  if (values.out === undefined) throw new Error("Say where the arrays go: --out DIR");
  const workers = Number(values.workers);
  const styles = values.styles.split(",");
  const unknown = styles.find((style) => !styleNames().includes(style));
  if (unknown !== undefined) {
    throw new Error(`Expected some of ${styleNames().join(", ")} for --styles: ${unknown}`);
  }
  const ask = values.ask === "" ? [] : values.ask.split(",");
  const unasked = ask.find((type) => !everyQuestionType.includes(type));
  if (unasked !== undefined) {
    throw new Error(`Expected some of ${everyQuestionType.join(", ")} for --ask: ${unasked}`);
  }
  const [outfit, person, display, attributed = 0] = values.mix.split(",").map(Number);
  const exchange = Number(values.exchange);
  const shared = {
    out: values.out,
    scenes: Number(values.scenes),
    seed: values.seed,
    workers,
    people: Number(values.people),
    mix: { outfit, person, display, attributed },
    localised: Number(values.localised),
    ask,
    ...(exchange > 0 ? { exchange } : {}),
    styles,
    cells: Number(values.cells),
    masks: values.masks,
  };
  mkdirSync(values.out, { recursive: true });
  const layout = {
    side,
    cellLayers,
    habits,
    captionsPerHabit,
    captionTokens,
    questionsPerScene,
    questionTokens,
    mostObjects,
    objectMembers,
    roles,
    words,
    kinds: [...kindIds.keys()],
    colours: [...colourIds.keys()],
    garmentColours,
    patterns,
    entities,
    questionTypes: everyQuestionType,
    styleNames: styleNames(),
    promptsPerScene,
    faults: sentenceFaults,
    signs: everySign,
    // What stands in each other's place; signs without a name show attributes.
    signPlaces: everySign.map((sign) => areasOf(sign)[0] ?? "attribute"),
    instructions: instructions(),
  };
  writeFileSync(
    `${values.out}/data.json`,
    JSON.stringify({ ...shared, out: undefined, ...layout }, null, 1),
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
