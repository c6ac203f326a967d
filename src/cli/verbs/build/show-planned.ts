import type { AnyStep, Records } from "../../../core/step.js";
import { countText } from "../../../views/number-text.js";
import type { Output } from "../../terminal/output.js";

/** Says how many items a benchmark would have, by what they are about; nothing is built. */
export async function showPlanned(
  [first]: readonly AnyStep[],
  {
    output,
    name,
    words,
  }: {
    readonly output: Output;
    readonly name: string;
    /** The words after `touchstone` of the build itself. */
    readonly words: readonly string[];
  },
): Promise<void> {
  const nothing: Records = { async *ofType() {} };
  const counts = new Map<string, number>();
  if (first !== undefined) {
    for await (const about of first.plan(nothing)) {
      const group = String("domain" in about ? about.domain : "set" in about ? about.set : name);
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const each = [...counts].map(([group, count]) => `${countText(count)} of ${group}`);
  output.result(`Nothing is wrong. It builds ${countText(all)} items: ${each.join(", ")}.`);
  output.resultJson({ benchmark: name, items: all, by: Object.fromEntries(counts) });
  output.nextCommand(words);
}
