import type { Lab } from "touchstone-t2i/internal/cli/lab.js";
import { experimentDefects } from "./lab-experiment.js";
import { labWorld } from "./lab-world.js";
import { type LabModelName, labModel } from "./models/lab-model.js";
import { checkRuntime } from "./models/runtime.js";
import { labVersion } from "./package-file.js";
import { labPainter } from "./painter/lab-painter.js";
import { smallestThing } from "./painter/layout.js";
import { cannotDraw, cannotDrawSkewed } from "./painter/painter.js";
import { confusingPainterNames, painterNames, skewedPainterNames } from "./painter/painters.js";
import { labChecks, paintKnownPairs } from "./verbs/lab/lab-checks.js";
import { paintLabSample } from "./verbs/lab/lab-sample.js";

/** All that the tool uses of the lab. */
export const lab: Lab = {
  version: labVersion,
  models: {
    // The factory refuses a name that is none of the lab's.
    make: (name, options) => labModel(name as LabModelName, options),
    checkRuntime,
  },
  generator(text, { errs }) {
    const options = errs ? { defects: experimentDefects() } : {};
    if (text === "painter") return { generator: labPainter(options), cannotDraw };
    const skewed = skewedPainterNames();
    const names = [...painterNames(), ...confusingPainterNames(), ...skewed];
    const name = names.find((one) => text === `painter-${one}`);
    if (name === undefined) return undefined;
    return {
      generator: labPainter({ name, ...options }),
      cannotDraw: skewed.includes(name) ? cannotDrawSkewed : cannotDraw,
    };
  },
  world: labWorld,
  smallestThing,
  sample: paintLabSample,
  pairs: paintKnownPairs,
  checks: labChecks,
  verbs: {
    demo: () => import("./verbs/demo/demo.js"),
    lab: () => import("./verbs/lab/lab.js"),
  },
};
