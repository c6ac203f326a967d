/**
 * A name for a file that none of `taken` has, which then has it. Names that differ by case alone are one on
 * some disks.
 *
 * @param ending such as ".png"
 * @example freeName(new Set(["cat.png"]), "cat", ".png") // "cat-2.png"
 */
export function freeName(taken: Set<string>, stem: string, ending: string): string {
  for (let count = 1; ; count++) {
    const name = `${stem}${count === 1 ? "" : `-${count}`}${ending}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}
