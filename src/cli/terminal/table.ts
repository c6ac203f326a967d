export interface Column {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly align?: "left" | "right";
}

const gap = "  ";
const narrowest = 8;

/**
 * Rows under titles, aligned, at most `width` columns of a terminal wide: where they are wider, the
 * widest left-aligned columns give way and their cells end in "…", then the titles of numbers.
 *
 * @example table([{ title: "metric" }, { title: "n", align: "right" }], [["clip-score", "900"]])
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = 100,
): string {
  const clean = rows.map((row) => row.map((cell) => cell.replace(controls, " ")));
  const widths = columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...clean.map((row) => displayWidth(row[index] ?? ""))),
  );
  // A name can be shortened; a number cut short would be another.
  const least = columns.map(({ align }, index) =>
    align === "right"
      ? Math.max(narrowest, ...clean.map((row) => displayWidth(row[index] ?? "")))
      : narrowest,
  );
  const total = () => widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1));
  const widestOf = (side: "left" | "right") =>
    columns.reduce<number | undefined>((best, { align = "left" }, index) => {
      const own = widths[index] ?? 0;
      if (align !== side || own <= (least[index] ?? 0)) return best;
      return best === undefined || own > (widths[best] ?? 0) ? index : best;
    }, undefined);
  for (let over = total() - width; over > 0; over = total() - width) {
    const widest = widestOf("left") ?? widestOf("right");
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, index) => {
        const cell = shorten(cells[index] ?? "", widths[index] ?? 0);
        const space = " ".repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)));
        return align === "right" ? space + cell : cell + space;
      })
      .join(gap)
      .trimEnd();
  const rule = widths.map((each) => "-".repeat(each)).join(gap);
  return [line(columns.map(({ title }) => title)), rule, ...clean.map(line)].join("\n");
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a colour begins with.
const colours = /\u001b\[[0-9;]*m/g;
/** A line end, a cursor movement, a colour or another direction of writing would break the table. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be found.
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u;

/** How many columns of a terminal a text takes: colours none, wide characters two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text.replace(colours, ""))) {
    width += wide.test(segment) ? 2 : 1;
  }
  return width;
}

function shorten(cell: string, width: number): string {
  if (displayWidth(cell) <= width) return cell;
  let short = "";
  for (const { segment } of segmenter.segment(cell.replace(colours, ""))) {
    if (displayWidth(short + segment) > width - 1) break;
    short += segment;
  }
  return `${short}…`;
}
