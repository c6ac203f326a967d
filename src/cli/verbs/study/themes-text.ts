import type { ThemesConclusion } from "../../../analysis/themes/themes.js";
import { numberColumns } from "../../../views/number-columns.js";
import { pluralText } from "../../../views/number-text.js";
import { number3 } from "../../terminal/numbers.js";
import { table } from "../../terminal/terminal-table.js";

const share = (value: number | null): string => (value === null ? "–" : number3(value));

/** Agreement of coders and counts of themes, as the terminal shows them. */
export function readableThemes(
  { coders, passages, agreement, themes: found }: ThemesConclusion,
  width: number,
): string {
  const verdict = `${pluralText(coders.length, "coder")} read ${pluralText(passages, "passage")}.`;
  const reliability = table(
    [{ title: "code" }, ...numberColumns("passages of two", "majority", "kappa", "alpha")],
    agreement.map((one) => [
      one.code,
      String(one.passages),
      share(one.majorityShare),
      share(one.kappa),
      share(one.krippendorffAlpha),
    ]),
    width,
  );
  const counts = table(
    [
      { title: "theme" },
      { title: "query" },
      { title: "model" },
      ...numberColumns("people", "passages", "disputed"),
    ],
    found.map((one) => [
      one.code,
      one.query,
      one.model === "" ? "–" : one.model,
      String(one.participants),
      String(one.passages),
      String(one.disputed),
    ]),
    width,
  );
  return [verdict, reliability, counts].join("\n\n");
}
