import { agreement } from "../agreement/agreement.js";

/** Codes that one coder gave one passage. */
export interface CodedPassage {
  readonly passage: string;
  readonly participant: string;
  readonly query: string;
  /** Empty where the passage is about no model's images. */
  readonly model: string;
  readonly coder: string;
  /** Codes of the codebook; none where the coder found that none applies. */
  readonly codes: readonly string[];
}

/** How two coders or more agree on whether a code applies, over passages that two coded. */
export interface CodeAgreement {
  readonly code: string;
  /** Passages that two coders or more read. */
  readonly passages: number;
  readonly majorityShare: number | null;
  /** Cohen's kappa of two coders; the mean of all pairs where there are more. */
  readonly kappa: number | null;
  readonly krippendorffAlpha: number | null;
}

/** How often a theme stands, where more than half of a passage's coders found it. */
export interface ThemeCount {
  readonly code: string;
  readonly query: string;
  readonly model: string;
  readonly passages: number;
  readonly participants: number;
  /** Passages in which some coders found it, and not more than half. */
  readonly disputed: number;
}

export interface ThemesConclusion {
  readonly coders: readonly string[];
  readonly passages: number;
  readonly agreement: readonly CodeAgreement[];
  /** By code, query and model; those that nobody found are left out. */
  readonly themes: readonly ThemeCount[];
  readonly warnings: readonly string[];
}

/**
 * Counts themes in coded passages, and how coders who worked independently agree on each.
 *
 * @param codes the codebook's, in its order
 * @example
 * const about = { passage: "1", participant: "p", query: "a nurse", model: "m" };
 * themes([{ ...about, coder: "ann", codes: ["white coat"] }], { codes: ["white coat"] }).themes
 *   // one passage of one participant
 */
export function themes(
  rows: readonly CodedPassage[],
  { codes }: { readonly codes: readonly string[] },
): ThemesConclusion {
  const coders = [...new Set(rows.map(({ coder }) => coder))].sort();
  const byPassage = new Map<string, CodedPassage[]>();
  for (const row of rows) {
    const own = byPassage.get(row.passage) ?? [];
    own.push(row);
    byPassage.set(row.passage, own);
  }
  const shared = [...byPassage.values()].filter((own) => own.length > 1);
  return {
    coders,
    passages: byPassage.size,
    agreement: codes.map((code) => agreementOn(code, shared)),
    themes: codes.flatMap((code) => countsOf(code, [...byPassage.values()])),
    warnings:
      shared.length === 0
        ? ["one coder read each passage, so nothing tells how reliable the coding is"]
        : shared.length < byPassage.size
          ? [
              `${byPassage.size - shared.length} of ${byPassage.size} passages were read by one coder`,
            ]
          : [],
  };
}

function agreementOn(code: string, shared: readonly (readonly CodedPassage[])[]): CodeAgreement {
  const rows = shared.flat().map(({ passage, coder, codes }) => ({
    item: passage,
    annotator: coder,
    value: codes.includes(code) ? "1" : "0",
  }));
  if (rows.length === 0) {
    return { code, passages: 0, majorityShare: null, kappa: null, krippendorffAlpha: null };
  }
  // Few coders and passages: intervals would promise more than they hold.
  const found = agreement(rows, { scale: "nominal", categories: ["0", "1"], resamples: 1 });
  const kappas = found.pairwise?.cohen.flatMap((row, at) => row.slice(at + 1)) ?? [];
  const known = kappas.filter((kappa) => kappa !== null);
  return {
    code,
    passages: shared.length,
    majorityShare: found.majorityShare,
    kappa: known.length === 0 ? null : known.reduce((sum, kappa) => sum + kappa, 0) / known.length,
    krippendorffAlpha: found.krippendorffAlpha,
  };
}

function countsOf(code: string, passages: readonly (readonly CodedPassage[])[]): ThemeCount[] {
  const cells = new Map<
    string,
    { about: CodedPassage; people: Set<string>; found: number; disputed: number }
  >();
  for (const coded of passages) {
    const [about] = coded;
    const votes = coded.filter(({ codes }) => codes.includes(code)).length;
    if (about === undefined || votes === 0) continue;
    const name = JSON.stringify([about.query, about.model]);
    const cell = cells.get(name) ?? { about, people: new Set<string>(), found: 0, disputed: 0 };
    cells.set(name, cell);
    if (2 * votes > coded.length) {
      cell.found += 1;
      cell.people.add(about.participant);
    } else cell.disputed += 1;
  }
  return [...cells.values()].map(({ about: { query, model }, people, found, disputed }) => ({
    code,
    query,
    model,
    passages: found,
    participants: people.size,
    disputed,
  }));
}
