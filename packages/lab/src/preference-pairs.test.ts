import { expect, test } from "vitest";
import { labPainter } from "./painter/lab-painter.js";
import { styleOf } from "./preference-pairs.js";

test("a seed's style is the one that the painters paint in", async () => {
  const styles = new Set<string>();
  for (const seed of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const { truth } = await labPainter({ name: "e" }).generate({
      prompt: "A dog is in a meadow.",
      seed,
    });
    expect(truth).toMatchObject({ style: styleOf(seed) });
    styles.add(styleOf(seed));
  }
  expect(styles.size).toBe(3);
});
