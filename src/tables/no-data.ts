import { alikeNames as alikeSets } from "../analysis/inference/sorted-names.js";
import { quoted } from "./format.js";

/** Text of a row, and the column that it stands in. */
export interface ColumnText {
  readonly column: string;
  readonly text: string | undefined;
}

/** How many rows at each end of a file are looked at, since they may be no data. */
export const mostAtEnd = 3;

/** As spreadsheets call the last rows, which sum the others up. */
const summary =
  /^((grand|sub)[- ]?)?totals?:?$|^(sum|mean|average|avg\.?|median|std|stdev|std\.? ?dev\.?):?$/i;

/** Whether a text is the name of a row that sums others up. */
export const isSummary = (text: string | undefined): boolean =>
  text !== undefined && summary.test(text.trim());

/**
 * Says why a row is no data: the header once more, as in files that were put together, or what Qualtrics writes below
 * it, or, where it is one of the last, a sum of the others. Undefined where it is none of these.
 */
export function noData(texts: readonly ColumnText[], isLast: boolean): string | undefined {
  const given = texts.filter(({ text }) => text !== undefined);
  if (given.some(({ text }) => text?.startsWith('{"ImportId"') === true)) {
    return 'Expected data but received Qualtrics\' description of its columns ({"ImportId": …}); remove the two lines below the header';
  }
  if (given.length > 0 && given.every(({ column, text }) => text === column)) {
    return "Expected data but received the header again";
  }
  const summed = isLast ? given.find(({ text }) => isSummary(text)) : undefined;
  return (
    summed &&
    `Expected data but received a row that sums others up: ${summed.column} is ${quoted(summed.text)}; ` +
      `remove it, or pass over it (--where '${summed.column}!=${summed.text}')`
  );
}

/** More names than these are not compared with each other. */
export const mostNames = 10_000;

/**
 * Says which names of a column differ in case, spaces, accents or zeros alone; undefined where none do.
 *
 * @example alikeNames("annotator", ["ann", "Ann "]) // 'annotator has names that …: "Ann " and "ann"'
 */
export function alikeNames(column: string, names: readonly string[]): string | undefined {
  const groups = names.length > mostNames ? [] : alikeSets(names);
  const [[one, other] = []] = groups;
  if (one === undefined || other === undefined) return undefined;
  const more = groups.reduce((sum, group) => sum + group.length - 1, -1);
  const others = more === 0 ? "" : `, and ${more} more`;
  return `${column} has names that differ by case, spaces, accents or zeros alone, and count as different: ${quoted(one)} and ${quoted(other)}${others}`;
}
