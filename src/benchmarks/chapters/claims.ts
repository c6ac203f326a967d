import {
  type ClaimOutcome,
  type ClaimScale,
  claimRule,
  familyOf,
  type TestedFinding,
} from "../../analysis/inference/claims.js";
import { unitsText } from "../../analysis/inference/intervals.js";
import { countText, estimateText, fixedText, percentText } from "../../views/number-text.js";
import type { Chapter, Part } from "../../views/report.js";
import {
  as,
  countColumn,
  named,
  numberColumn,
  probabilityColumn,
  said,
  textColumn,
  type ViewTable,
  type Words,
} from "../../views/view.js";

/** The claims of a paper with what this run says of them, and what else belongs to them. */
export function claimsChapter(
  { paper, findings }: { readonly paper: string; readonly findings: readonly TestedFinding[] },
  more: readonly Part[] = [],
): Chapter {
  const count = (outcome: ClaimOutcome) =>
    findings.filter((finding) => finding.outcome === outcome).length;
  const tried = findings.filter(({ n }) => n > 0);
  const others = findings.filter(({ n }) => n === 0);
  return {
    id: "claims",
    title: "Claims of the paper",
    parts: [
      `What ${paper} claims, tried on the images of this run: ${count("holds")} hold, ${count("fails")} fail, ${count("undecided")} are undecided. ${claimRule(findings)} A claim that holds may be that a metric fails. That a claim fails here says nothing about the models and images of the paper.`,
      ...(tried.length === 0 ? [] : [claimsTable(tried, familyOf(findings))]),
      ...(others.length === 0
        ? []
        : [
            {
              summary: `Claims that this run can't decide (${countText(others.length)})`,
              parts: [
                {
                  items: others.map(
                    ({ statement, source, reason }) =>
                      `${statement}: undecided, ${reason}. Source: ${source}`,
                  ),
                },
              ],
            },
          ]),
      ...more,
    ],
  };
}

function claimsTable(tried: readonly TestedFinding[], family: number): ViewTable {
  const one = unitOf(tried, 1);
  // A claim is stated once for several models.
  const stated = new Map(
    tried.map(({ statement, source, caveat = "" }) => [
      statement,
      named(statement, source, caveat),
    ]),
  );
  return {
    title: "Claims",
    columns: [
      textColumn("claim", { isGroup: true, isBand: true }),
      textColumn("measured"),
      textColumn("here"),
      numberColumn("estimate"),
      textColumn("expected"),
      countColumn("n"),
      countColumn(unitOf(tried)),
      probabilityColumn("exact p"),
      probabilityColumn(`adjusted p (${family} tests)`),
    ],
    rows: tried.map((finding) => [
      stated.get(finding.statement) ?? finding.statement,
      { words: [as("small", finding.measured)] },
      outcomeOf(finding),
      `${isShare(finding) ? percentText(finding.estimate) : estimateText(finding.estimate)} ${units[finding.scale]}`,
      `${finding.expected} ${thresholdText(finding)}`,
      finding.n,
      finding.clusters,
      finding.p ?? null,
      finding.pAdjusted ?? null,
    ]),
    note: `In our words, with what was measured here, [95 % interval] or (one-sided bound); n counts images, pairs or answers, which come from so many ${unitOf(tried)} (of an effect, its controls, too); p is that of the exact test: of differences their sums by ${one} with signs turned, of an effect which pair of a prompt is the triplet, of a share the binomial test with each ${one} as one draw, of correlations the two metrics' scores swapped.`,
  };
}

const units: Readonly<Record<ClaimScale, string>> = {
  share: "%",
  "difference of shares": "points",
  score: "score",
  index: "index",
  seconds: "s",
  correlation: "ρ",
};

const isShare = ({ scale }: TestedFinding) => units[scale] === "%" || units[scale] === "points";

function thresholdText(finding: TestedFinding): string {
  const threshold = finding.threshold * (isShare(finding) ? 100 : 1);
  return fixedText(threshold, Number.isInteger(threshold) ? 0 : 2);
}

/** A paper's claims are all about prompts, or all about descriptions. */
const unitOf = ([first]: readonly TestedFinding[], count = 2) =>
  unitsText(count, first?.clusteredBy ?? "prompt").replace(/^\S+ /, "");

/** Names the claim and has no tick: one that holds may be that a metric fails. */
function outcomeOf({ outcome, reason }: TestedFinding): Words {
  const mark =
    outcome === "undecided" ? as("open", "– undecided") : as("strong", `claim ${outcome}`);
  return reason === undefined ? said`${mark}` : said`${mark}${as("under", reason)}`;
}
