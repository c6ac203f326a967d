// node bench/localization.mjs [--write]
//
// What a localised metric does to an image before it asks: blur or black out what lies outside the
// mask, crop, fit by Lanczos. From pixels to pixels, one thread, beside OpenCV and Pillow doing the
// same work in the same run; the images are compared before the times are. --write: the table in README.md.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomFrom } from "../dist/core/random.js";
import { localizationStrategies, localize } from "../dist/images/localize.js";
import { pythonPeer } from "./python-peer.mjs";
import { processorClock, sideBySide } from "./side-by-side.mjs";
import { printFound, writeTable } from "./written-table.mjs";

const side = 1024;
// The least likeness, in dB, that counts as the same image.
const alike = 35;

const random = randomFrom("bench", "localization");
const image = {
  width: side,
  height: side,
  data: Uint8Array.from({ length: side * side * 3 }, (_, at) => {
    const x = Math.floor(at / 3) % side;
    const y = Math.floor(at / 3 / side);
    return 110 + 80 * Math.sin(x / 37 + (at % 3)) * Math.cos(y / 23) + random.integer(40);
  }),
};
const ellipse = (share) => ({
  width: side,
  height: side,
  data: Uint8Array.from({ length: side * side }, (_, at) => {
    const x = (at % side) / side - 0.45;
    const y = Math.floor(at / side) / side - 0.55;
    return (x / (share * 0.4)) ** 2 + (y / (share * 0.5)) ** 2 < 1 ? 1 : 0;
  }),
});
const masks = {
  "an entity of 32 x 40 % of the image": ellipse(0.4),
  "an entity of 56 x 70 % of the image": ellipse(0.7),
};

const peer = pythonPeer("localization_peer.py");
if (peer.skipped !== undefined) {
  console.log(`skipped: the peers can't be installed (${peer.skipped})`);
} else {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
  const save = (name, { data }) => {
    writeFileSync(join(folder, name), data);
    return join(folder, name);
  };
  const { versions } = await peer.ask({
    task: "load",
    size: [side, side],
    image: save("image", image),
    masks: Object.fromEntries(
      Object.entries(masks).map(([name, mask], at) => [name, save(`mask-${at}`, mask)]),
    ),
  });
  console.log(
    `Node ${process.version}; ${versions}; ${side} x ${side} pixels; medians of processor time.\n`,
  );
  const rows = [];
  for (const [entity, mask] of Object.entries(masks)) {
    for (const strategy of localizationStrategies) {
      if (strategy === "none") continue;
      const ask = { task: "localize", mask: entity, strategy };
      const into = join(folder, "theirs");
      await peer.ask({ ...ask, into });
      const likeness = decibels(localize(image, { mask, strategy }).data, readFileSync(into));
      const found = await sideBySide({
        ours: () => localize(image, { mask, strategy }),
        peers: { "OpenCV, Pillow": () => peer.ask(ask) },
        pairs: 7,
        clock: processorClock,
      });
      const row = { task: `${strategy}, ${entity}`, aim: 1, ...found };
      printFound(row.task, row);
      console.log(`  ${likeness.toFixed(0)} dB alike`);
      if (likeness < alike) {
        console.log(`  DIFFERENT: fewer than ${alike} dB`);
        process.exitCode = 1;
      }
      rows.push(row);
    }
  }
  const conditions = `${side} x ${side} pixels, one thread, medians of processor time.`;
  writeTable("localization", { versions, conditions, rows });
  peer.end();
  rmSync(folder, { recursive: true });
}

/** Peak signal to noise; infinite for equal images. */
function decibels(a, b) {
  let squares = 0;
  for (let at = 0; at < a.length; at++) squares += (a[at] - b[at]) ** 2;
  return 10 * Math.log10(255 ** 2 / (squares / a.length));
}
