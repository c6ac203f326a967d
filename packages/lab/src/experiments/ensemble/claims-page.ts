import {
  alsoKnown,
  foldedSections,
  tableSections,
} from "touchstone-t2i/internal/report/pages/conclusion-page.js";
import { html } from "touchstone-t2i/internal/report/pages/html.js";
import {
  artCredit,
  labNotice,
  plotFigure,
} from "touchstone-t2i/internal/report/pages/html-parts.js";
import { tableOf } from "touchstone-t2i/internal/report/pages/html-table.js";
import { page } from "touchstone-t2i/internal/report/pages/page.js";
import type { Figure } from "touchstone-t2i/internal/views/figures/figure.js";
import type { Chapter } from "touchstone-t2i/internal/views/report.js";
import {
  countColumn,
  textColumn,
  type View,
  type ViewTable,
} from "touchstone-t2i/internal/views/view.js";
import type { TriedClaims } from "./claims-text.js";
import { curvesFigure } from "./curves-plot.js";
import type { HeldOutMethod } from "./held-out.js";
import { heldOutErrorsFigure } from "./held-out-errors.js";
import type { ImageGroups } from "./image-groups.js";
import { imageGroupParts, type ShownPairs, type ShownPrompt } from "./image-groups-page.js";
import { methodName } from "./names.js";
import { reliabilityFigure } from "./reliability-plot.js";

/** One world's groups of images, with what shows them. */
export interface WorldGroups {
  readonly world: string;
  readonly groups: ImageGroups;
  readonly shown: ShownPairs;
  readonly prompts: readonly ShownPrompt[];
}

/** Claims tried on held-out pairs as one HTML file: reliability of every method, methods, claims. */
export async function claimsPage(
  { verdict, tables, caveats, method }: View,
  { worlds, paper, findings }: TriedClaims,
  {
    title,
    command,
    fromLab,
    groups = [],
  }: {
    readonly title: string;
    readonly command: string;
    readonly fromLab: boolean;
    /** Where there are pictures to be shown. */
    readonly groups?: readonly WorldGroups[];
  },
): Promise<string> {
  const figures = [...worlds].flatMap(([world, { methods }]): Chapter[] => {
    const figure = reliabilityFigure(methods, { title: `Reliability, ${world}`, name: methodName });
    const curves = worldCurves(world, methods);
    return [
      { id: `reliability-${world}`, title: figure.title, parts: [figure] },
      { id: `coverage-${world}`, title: curves.title, parts: [curves] },
    ];
  });
  const pictured = await Promise.all(
    groups.map(async ({ world, groups: found, ...shown }) => ({
      id: `groups-${world}`,
      title: `Groups of images and their prompts, ${world}`,
      parts: await imageGroupParts(found, shown),
    })),
  );
  const errors = heldOutErrorsFigure(worlds);
  return page({
    title,
    first: {
      verdict,
      notice: fromLab && labNotice,
      figure: await plotFigure(errors),
    },
    sections: [
      {
        id: "also",
        title: "What else is known",
        body: alsoKnown({ caveats, method: `${method} The claims are those of ${paper}.` }),
      },
      { id: "outcomes", title: "Claims by outcome", body: tableOf(outcomesTable(findings)) },
      ...(await foldedSections([...figures, ...pictured])),
      ...tableSections(tables).map((section) => ({ ...section, isFolded: true })),
    ],
    closing: html`${fromLab && artCredit}<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
  });
}

/** How many claims hold, fail and are undecided, by world. */
function outcomesTable(findings: TriedClaims["findings"]): ViewTable {
  const worlds = [...new Set(findings.map(({ world }) => world))];
  const outcomes = ["holds", "fails", "undecided"] as const;
  return {
    title: "Claims by outcome",
    columns: [
      textColumn("world"),
      ...outcomes.map((outcome) => countColumn(outcomeMarks[outcome])),
    ],
    rows: worlds.map((world) => [
      world,
      ...outcomes.map(
        (outcome) =>
          findings.filter((one) => one.world === world && one.outcome === outcome).length,
      ),
    ]),
    note: "On held-out pairs; below, each claim with its test.",
  };
}

const outcomeMarks = { holds: "✓ hold", fails: "✗ fail", undecided: "– undecided" } as const;

/** A panel for each objective of MMB, beside the methods that have none. */
function worldCurves(world: string, methods: readonly HeldOutMethod[]): Figure {
  const isMixture = ({ method }: HeldOutMethod) => method.startsWith("mmb ");
  const others = methods.filter(({ method }) => !method.includes(" "));
  return curvesFigure(
    methods.filter(isMixture).map((mixture) => ({
      title: methodName(mixture.method),
      curves: [...others, mixture].map(({ method, curve }) => ({ method, points: curve })),
    })),
    {
      title: `Error over coverage, ${world}`,
      caption:
        "Wrong answers among the surest, from a twentieth of them to all: the mean over fits. Bands are 95 % intervals that draw captions and label seeds, those of the tables below. Lower is better.",
      name: methodName,
    },
  );
}
