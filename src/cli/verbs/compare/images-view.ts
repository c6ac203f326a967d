import { middleAndWorst, mostChanged, visible } from "../../../images/image-changes.js";
import { percentText, pluralText } from "../../../views/number-text.js";
import { countColumn, numberColumn, textColumn, type ViewWithData } from "../../../views/view.js";
import type { ComparedImages } from "./compare-images.js";

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
