import { isAbsolute, join } from "node:path";
import { someAtATime } from "../../../core/all-ended.js";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { modelName, type Picture } from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import {
  type ImageChange,
  imageChange,
  imagePairs,
  middleAndWorst,
  mostChanged,
  type SideImage,
  visible,
} from "../../../images/image-changes.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { thumbnail } from "../../../images/thumbnail.js";
import { cosine } from "../../../metrics/cosine.js";
import { fixedText, percentText, pluralText } from "../../../views/number-text.js";
import type { Card, Chapter } from "../../../views/report.js";
import { countColumn, numberColumn, textColumn, type ViewWithData } from "../../../views/view.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingFor } from "../../models/hosting.js";
import { modelFor } from "../../models/model-for.js";
import type { Output } from "../../terminal/output.js";
import { progressOf } from "../score/score-progress.js";
import { stem } from "./given-prompts.js";
import { type SideItems, type SideReading, sideItems } from "./side-items.js";

/** How the images of two sides changed. */
export interface ComparedImages {
  readonly changes: readonly ImageChange[];
  readonly onlyA: number;
  readonly onlyB: number;
  /** The embedder that told distances. */
  readonly model: string | undefined;
  /** What was compared, as it was read. */
  readonly sides: readonly [SideItems, SideItems];
}

// As many as Node decodes at a time by default.
const atATime = 4;

/**
 * Compares images of two folders, runs or tables pixel by pixel, by text and seed, and by an embedder's distance.
 *
 * @throws InputError where no image of one has its like on the other, one can't be read, or the model embeds none.
 */
export async function compareImages(
  [a, b]: readonly [a: string, b: string],
  {
    model: named,
    environment,
    output,
    ...how
  }: {
    readonly model: string | undefined;
    readonly map: readonly string[];
    readonly allowOutside: boolean;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<ComparedImages> {
  const [one, other] = [
    await imageSide(a, { environment, ...how }),
    await imageSide(b, { environment, ...how }),
  ];
  for (const note of new Set([...one.notes, ...other.notes])) output.note(note);
  const isByName = one.textsFrom === "none" || other.textsFrom === "none";
  const told = (images: readonly SideImage[]) =>
    isByName
      ? images.map((image) => ({ ...image, text: stem(image.name), seed: undefined }))
      : images;
  const { pairs, onlyA, onlyB } = imagePairs(told(one.images), told(other.images));
  if (pairs.length === 0) {
    const texts = new Set(told(one.images).map(({ text }) => text));
    const isOtherSeed = told(other.images).some(({ text }) => texts.has(text));
    throw new InputError(
      `Expected images for the same texts and seeds in ${a} and ${b} but ` +
        (isOtherSeed ? "those for the same texts are of other seeds" : "none is in both"),
      {
        hint: "Pixels are compared where texts and seeds are the same. Which is better: --metric NAME=MODEL, --labels FILE or --ask N",
      },
    );
  }
  const embedder =
    named === undefined ? undefined : await embedderNamed(named, environment, output);
  const onDone = progressOf("Comparing images:", pairs.length, { environment, output });
  const changes = await someAtATime(
    pairs,
    ([before, now]) => {
      environment.signal.throwIfAborted();
      return imageChange(before, now, embedder?.distance).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
        throw new InputError(error.message, { cause: error });
      });
    },
    { atATime, onDone },
  );
  return { changes, onlyA, onlyB, model: embedder?.name, sides: [one, other] };
}

async function embedderNamed(text: string, environment: Environment, output: Output) {
  const { settings } = await loadConfiguration(environment);
  const hosting = hostingFor(environment, { settings: settings.cache, tell: output.note });
  const { model } = await modelFor(text, "ImageEmbedder", {
    flag: "--model",
    hint: "Such as lab:dual-encoder (touchstone metrics models)",
    configured: settings.models,
    hosting,
  });
  const { signal } = environment;
  return {
    name: modelName(model.identity),
    async distance(one: Picture, other: Picture) {
      const [before, now] = [
        await model.embedImage(one, { signal }),
        await model.embedImage(other, { signal }),
      ];
      return 1 - cosine(before, now);
    },
  };
}

/** The items of one side, and their images as they are compared. */
interface ImageSide extends SideItems {
  readonly images: readonly SideImage[];
}

/**
 * The images of a folder, a table or a run.
 *
 * @throws InputError where it has none.
 */
async function imageSide(
  source: string,
  reading: Omit<SideReading, "prompts">,
): Promise<ImageSide> {
  const side = await sideItems(source, { ...reading, prompts: undefined });
  const images = side.items.map(({ image, path, text, others }): SideImage => {
    const { seed = null, model = null, input_model: maker = model } = others;
    return {
      name: image,
      text,
      seed: wordOf(seed),
      model: wordOf(maker) ?? "",
      score: numberOf(others.value ?? others.score),
      open: () => openPictureFile(path, named(source, image)),
    };
  });
  return { ...side, images };
}

const wordOf = (value: Json | undefined) =>
  value === null || value === undefined || value === "" ? undefined : String(value);
const numberOf = (value: Json | undefined) =>
  value === null || value === undefined || value === "" || !Number.isFinite(Number(value))
    ? null
    : Number(value);
const named = (source: string, image: string) => (isAbsolute(image) ? image : join(source, image));

/** Pixels of the longer side. */
const side = 320;

/** The most changed pairs side by side, with their scores where they are known; none where nothing changed. */
export async function changedChapter(
  changes: readonly ImageChange[],
  names: readonly [a: string, b: string],
): Promise<Chapter[]> {
  const cards = await Promise.all(mostChanged(changes).map((change) => cardOf(change, names)));
  return cards.length === 0
    ? []
    : [{ id: "most-changed", title: "Most changed pairs", parts: [{ cards }] }];
}

async function cardOf(
  { a, b, ssim, psnr, distance }: ImageChange,
  names: readonly [a: string, b: string],
): Promise<Card> {
  const pictures = await Promise.all(
    [a, b].map(async (image, at) => ({
      image: await thumbnail(await image.open(), { side }),
      alternative: `Image of ${names[at]} for: ${image.text}`,
      caption: `${names[at]}: ${image.name}${image.score === null ? "" : `, score ${fixedText(image.score, 3)}`}`,
    })),
  );
  const tags = [
    ssim === null
      ? "two sizes"
      : `SSIM ${fixedText(ssim, 3)}, PSNR ${psnr === null ? "infinite" : `${fixedText(psnr, 1)} dB`}`,
    ...(distance === null ? [] : [`distance ${fixedText(distance, 3)}`]),
  ];
  return { tags, text: a.text, parts: [{ pictures }] };
}

/** What `--json` has in `images`. */
export function imagesJson({ changes, onlyA, onlyB, model }: ComparedImages) {
  const n = changes.length;
  const comparable = changes.filter(({ ssim }) => ssim !== null);
  return {
    pairs: n,
    changed: { value: changes.filter(({ isVisible }) => isVisible).length / n, n },
    psnr: middleAndWorst(comparable.map(({ psnr }) => psnr)),
    ssim: middleAndWorst(comparable.map(({ ssim }) => ssim)),
    ...(model === undefined ? {} : { distance: { model, ...farthest(changes) } }),
    onlyA,
    onlyB,
    otherSize: n - comparable.length,
    most: mostChanged(changes).map(({ a, b, ssim, psnr, distance }) => ({
      a: a.name,
      b: b.name,
      text: a.text,
      ssim,
      psnr,
      ...(model === undefined ? {} : { distance }),
      ...(a.score === null && b.score === null ? {} : { scores: [a.score, b.score] }),
    })),
  };
}

function farthest(changes: ComparedImages["changes"]) {
  const { median, worst } = middleAndWorst(changes.map(({ distance }) => 0 - (distance ?? 0)));
  return { median: median && 0 - median, worst: worst && 0 - worst };
}

const visiblyText = `SSIM below ${visible.ssim} or PSNR below ${visible.psnr} dB`;

/** How the images of two sides changed. */
export function imagesView(
  compared: ComparedImages,
  [a, b]: readonly [a: string, b: string],
): ViewWithData {
  const { pairs, changed, psnr, ssim, onlyA, onlyB, otherSize, most, distance } =
    imagesJson(compared);
  const share = `${percentText({ ...changed, low: null, high: null })} %`;
  const [largest] = most;
  const hasScores = most.some(({ scores }) => scores !== undefined);
  const columns = [
    textColumn("text", { isGroup: true }),
    numberColumn("SSIM", { id: "ssim", isEssential: true }),
    numberColumn("PSNR, dB", { id: "psnr", decimals: 1, isEssential: true }),
    ...(distance === undefined ? [] : [numberColumn("distance")]),
    ...(hasScores
      ? [
          numberColumn(`score ${a}`, { id: "score a" }),
          numberColumn(`score ${b}`, { id: "score b" }),
        ]
      : []),
    textColumn(a, { id: "a" }),
    textColumn(b, { id: "b" }),
  ];
  const rows = most.map((one) => [
    one.text,
    one.ssim,
    one.psnr,
    ...(distance === undefined ? [] : [one.distance ?? null]),
    ...(hasScores ? (one.scores ?? [null, null]) : []),
    one.a,
    one.b,
  ]);
  const left = [
    ...(onlyA === 0 ? [] : [`${pluralText(onlyA, "image")} of ${a} without its like in ${b}`]),
    ...(onlyB === 0 ? [] : [`${pluralText(onlyB, "image")} of ${b} without its like in ${a}`]),
    ...(otherSize === 0
      ? []
      : [
          `${pluralText(otherSize, "pair")} of two sizes, or under 7 pixels: counted as changed, without SSIM and PSNR`,
        ]),
  ];
  return {
    verdict:
      changed.value === 0
        ? `No image of ${pluralText(pairs, "pair")} changed visibly.`
        : `${share} of ${pluralText(pairs, "image")} changed visibly${largest === undefined ? "" : `, most for "${largest.text}"`}.`,
    tables: [
      {
        title: "All pairs",
        columns: [
          textColumn("measure"),
          countColumn("pairs"),
          numberColumn("median"),
          numberColumn("most changed"),
        ],
        rows: [
          ["SSIM", pairs - otherSize, ssim.median, ssim.worst],
          ["PSNR, dB", pairs - otherSize, psnr.median ?? equal, psnr.worst ?? equal],
          ...(distance === undefined
            ? []
            : [[`distance by ${distance.model}`, pairs, distance.median, distance.worst]]),
        ],
        note: "PSNR is infinite where images are equal.",
      },
      ...(most.length === 0 ? [] : [{ title: "Most changed", isHeadline: true, columns, rows }]),
    ],
    data: { columns, rows },
    caveats: [
      ...left,
      "A changed image need not be worse: --metric NAME or --ask N (people) says which side is better",
    ],
    method:
      `Images are paired by text and seed, or by file name. Visibly: ${visiblyText}. SSIM: 7 × 7 uniform windows over RGB, as ` +
      "scikit-image computes it; PSNR over 255.",
  };
}

const equal = "equal";
