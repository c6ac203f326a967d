import sharp from "sharp";
import { expect, test } from "vitest";
import * as touchstone from "./index.js";

test("the one-liner, with a metric of one's own", async () => {
  const brightness: touchstone.Metric = {
    name: "brightness",
    version: 1,
    statistic: "mean level",
    model: "none",
    range: [0, 255],
    direction: "higher",
    async score({ image }) {
      const { data } = await image.pixels();
      return { value: data.reduce((sum, level) => sum + level, 0) / data.length };
    },
  };
  const image = await sharp({
    create: { width: 3, height: 2, channels: 3, background: "#102030" },
  })
    .png()
    .toBuffer();
  expect(await touchstone.score({ image, text: "dusk", metric: brightness })).toMatchObject({
    status: "scored",
    value: 32,
    metric: "brightness",
    range: [0, 255],
    direction: "higher",
  });
});
