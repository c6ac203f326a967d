import type { AgreementConclusion } from "../../analysis/agreement/agreement.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot } from "../../views/figures/interval-plot.js";
import {
  noteHeight,
  noteLines,
  placedWords,
  smallText,
  titleLook,
  words,
  xPlace,
  yPlace,
} from "../../views/figures/marks.js";
import { palette, plotConfig } from "../../views/figures/palette.js";
import { estimateRow } from "../../views/figures/place-rows.js";
import { fittedApart, textWidth, wrapped } from "../../views/figures/text-width.js";
import { countText, estimateText, fixedText } from "../../views/number-text.js";

/** More are not read; those with the most ratings are shown. */
const mostShown = 36;
const nameWidth = 190;
const left = nameWidth + 36;
const matrixWidth = 480;
const top = 74;

/**
 * Cohen's kappa of every two annotators as a square of cells, the number in each; quadratic weights,
 * none on a nominal scale. Of anonymous raters the statistics over all, since there are no pairs.
 */
export function agreementFigure(conclusion: AgreementConclusion): Figure {
  const { scale, pairwise, intervalsOf } = conclusion;
  if (pairwise === null) return overallFigure(conclusion);
  const kind = scale === "nominal" ? "cohen" : "quadratic";
  const weights = kind === "cohen" ? "no weights" : "quadratic weights";
  const title = `Cohen's kappa of each two annotators, ${weights}`;
  const all = pairwise.annotators.length;
  if (all < 2) return emptyFigure(title, "there are fewer than two annotators");

  const shown = [...pairwise.annotators.keys()]
    .sort((a, b) => (pairwise.n[b]?.[b] ?? 0) - (pairwise.n[a]?.[a] ?? 0))
    .slice(0, mostShown)
    .sort((a, b) => a - b);
  const cell = Math.min(68, Math.max(24, Math.floor(matrixWidth / shown.length)));
  const isRoomy = cell >= 46;
  const middle = (at: number) => (at + 0.5) * cell;
  const cells = shown.flatMap((annotator, row) =>
    shown.map((other, column) => {
      const kappa = annotator === other ? null : (pairwise[kind][annotator]?.[other] ?? null);
      return {
        x: middle(column),
        y: middle(row),
        kappa,
        isSelf: annotator === other,
        n: `n ${countText(pairwise.n[annotator]?.[other] ?? 0)}`,
        text: annotator === other ? "" : kappa === null ? "–" : kappaText(kappa, isRoomy),
        // Faint enough that the number is read on it, in light and dark.
        strength: Math.min(1, Math.abs(kappa ?? 0)) * 0.55,
      };
    }),
  );
  const others = cells.filter(({ isSelf }) => !isSelf);
  const shortNames = fittedApart(
    shown.map((annotator) => pairwise.annotators[annotator] ?? ""),
    nameWidth - 50,
    12,
  );
  const labels = shown.flatMap((annotator, at) => {
    const name = pairwise.annotators[annotator] ?? "";
    const rated = countText(pairwise.n[annotator]?.[annotator] ?? 0);
    const lines = isRoomy
      ? [...wrapped(name, nameWidth, 12, 2), `${rated} rated`]
      : [`${shortNames[at] ?? ""} · ${rated}`];
    return lines.map((text, line) => ({
      text,
      y: middle(at) + (line - (lines.length - 1) / 2) * 15,
      isCount: isRoomy && line === lines.length - 1,
    }));
  });
  const numbers = shown.map((_, at) => ({ text: String(at + 1), y: middle(at) }));
  const size = cell * shown.length;
  const { krippendorffAlpha } = intervalsOf;
  const notes = [
    "Blue: more agreement than by chance, the stronger the more; orange: less than by chance.",
    isRoomy ? "n: items that both rated." : "Beside a name: how many items it rated.",
    ...(shown.length < all
      ? [`Shown: the ${shown.length} of ${countText(all)} annotators with the most ratings.`]
      : []),
    ...(others.some(({ kappa }) => kappa === null)
      ? pairwise.reasons.map((reason) => `–: ${reason}.`)
      : []),
    `All together, Krippendorff's alpha (${scale}): ${
      krippendorffAlpha.value === null
        ? `undefined, ${krippendorffAlpha.reason}`
        : estimateText(krippendorffAlpha)
    }, n ${countText(conclusion.n)} items.`,
  ];
  const widest = Math.max(
    textWidth(title, titleLook.fontSize),
    largestOf(notes.map((note) => textWidth(note, smallText.fontSize))),
  );
  const width = Math.max(size, Math.ceil(widest) - left);
  const heat = (colour: string, of: readonly (typeof others)[number][]) => ({
    data: { values: [...of] },
    mark: {
      type: "rect" as const,
      fill: colour,
      stroke: palette.grid,
      width: cell - 2,
      height: cell - 2,
    },
    encoding: {
      x: xPlace,
      y: yPlace,
      fillOpacity: { field: "strength", type: "quantitative" as const, scale: null },
    },
  });
  const isNegative = ({ kappa }: { kappa: number | null }) => kappa !== null && kappa < 0;
  const lift = isRoomy ? 7 : 0;
  return {
    title,
    caption:
      "How far each two annotators agree beyond chance on the items that both rated: 1 is always, 0 as often as chance would have it.",
    spec: {
      description: title,
      width,
      height: size,
      autosize: { type: "none" },
      padding: {
        left,
        right: 10,
        top,
        bottom: notes.length * noteHeight + 24,
      },
      config: plotConfig,
      layer: [
        { data: { values: [{ y: -56, text: title }] }, ...words("text", 4 - left, titleLook) },
        {
          data: { values: numbers },
          ...words("text", 22 - left, { align: "right", ...smallText }),
        },
        ...[false, true].map((isCount) => ({
          data: { values: labels.filter((label) => label.isCount === isCount) },
          ...words("text", 28 - left, {
            align: "left",
            ...(isCount ? smallText : { fontSize: 12 }),
          }),
        })),
        {
          data: { values: numbers.map(({ text, y }) => ({ x: y, y: -14, text })) },
          ...placedWords({ align: "center", ...smallText }),
        },
        heat(
          palette.blue,
          others.filter((one) => !isNegative(one)),
        ),
        heat(palette.vermilion, others.filter(isNegative)),
        {
          data: { values: others.map((one) => ({ ...one, y: one.y - lift })) },
          ...placedWords({ align: "center", fontSize: isRoomy ? 13 : cell < 30 ? 9 : 10 }),
        },
        {
          data: {
            values: isRoomy ? others.map(({ x, y, n }) => ({ x, y: y + 10, text: n })) : [],
          },
          ...placedWords({ align: "center", fontSize: 9.5 }),
        },
        noteLines(notes, { x: 4 - left, y: size + 20 }),
      ],
    },
  };
}

/** In a narrow cell without the zero before the point. */
function kappaText(kappa: number, isRoomy: boolean): string {
  const text = fixedText(kappa, 2);
  return isRoomy ? text : text.replace(/^(−?)0\./, "$1.");
}

const statistic = {
  name: "statistic",
  colour: palette.blue,
  shape: "circle",
  filled: true,
} as const;

/** Each statistic over all raters with its interval. */
function overallFigure({ scale, n, fleissForm, intervalsOf }: AgreementConclusion): Figure {
  const title = "Agreement of anonymous raters";
  if (n === 0) return emptyFigure(title, "no item has two ratings");
  const shown = [
    { name: "majority share", estimate: intervalsOf.majorityShare },
    {
      name: `Fleiss' kappa${fleissForm === "generalised" ? ", generalised" : ""}`,
      estimate: intervalsOf.fleissKappa,
    },
    { name: `Krippendorff's alpha (${scale})`, estimate: intervalsOf.krippendorffAlpha },
  ];
  const place = { band: "", series: statistic.name, count: countText(n) };
  const rows = shown.map(({ name, estimate }) => estimateRow({ ...place, name }, estimate));
  const least = Math.min(
    0,
    smallestOf(shown.map(({ estimate: { value, low } }) => low ?? value ?? 0)),
  );
  return {
    title,
    caption:
      "How far raters agree: 1 is always. Kappa and alpha are 0 where they agree as often as chance would have it; majority share is not corrected for chance. Lines are 95 % intervals.",
    ...intervalPlot({
      title,
      axisTitle: "agreement, with its 95 % interval",
      axisFormat: ".1f",
      valueTitle: "value",
      rows,
      series: [statistic],
      domain: [Math.floor(least * 10) / 10, 1],
      reference: { at: 0, name: "chance" },
      notes: ["n: items with two ratings or more."],
    }),
  };
}
