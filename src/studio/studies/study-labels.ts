import { conclude } from "../../conclusions/conclusions.js";
import { InputError } from "../../core/errors.js";
import type { StudyHome } from "../../studies/home/study-home.js";
import { collect } from "../../studies/tables/counted-answers.js";
import { exportTable, hasTable } from "../../studies/tables/export-table.js";
import { tableOf } from "../../tables/bytes.js";
import type { View } from "../../views/view.js";
import { planView } from "./plan-view.js";

/** The labels of a study's blocks: what comes next, and whom to believe; a sentence where there is nothing to show. */
export interface StudyLabels {
  readonly blocks: readonly {
    readonly name: string;
    readonly plan: View | string;
    readonly raters: View | string;
  }[];
}

/** A page does not wait for models of more answers. */
const mostRatings = 5000;

export async function studyLabels(home: StudyHome): Promise<StudyLabels> {
  const { study } = home;
  const { answers } = await collect(home);
  const blocks = [];
  for (const block of study.blocks) {
    const { name } = block;
    const rows = hasTable(block, "agreement")
      ? exportTable(study, { answers, table: "agreement", block: name })
      : [];
    blocks.push({
      name,
      plan: planView(block, answers) ?? "No plan drew these items: all are asked alike.",
      raters: await ratersOf(rows),
    });
  }
  return { blocks };
}

async function ratersOf(rows: ReturnType<typeof exportTable>): Promise<View | string> {
  if (new Set(rows.map(({ annotator }) => annotator)).size < 2) {
    return "Fewer than two people have answered: nothing says whom to believe.";
  }
  if (rows.length > mostRatings) {
    return `More than ${mostRatings} answers take long: analyze raters says in a terminal how reliable each rater is.`;
  }
  if (new Set(rows.map(({ value }) => String(value))).size < 2) {
    return "All answers are the same: nothing says whom to believe.";
  }
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  try {
    return (await conclude("raters", tableOf("agreement.jsonl", lines))).view;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}
