import type { World } from "touchstone-t2i/internal/benchmarks/world.js";
import { labModel } from "./models/lab-model.js";
import { labPairs } from "./preference-pairs.js";
import { sign } from "./signature.js";
import { attributeTruth } from "./truth/attribute-truth.js";
import { faultCount } from "./truth/fault-count.js";
import { sceneTruth } from "./truth/scene-truth.js";
import { trueRows } from "./truth/stereotype-truth.js";
import { statementQuestion } from "./world/questions.js";

/** The lab as benchmarks need it: what its painters painted, and captions that they can paint. */
export const labWorld: World = {
  truth: {
    scene: sceneTruth,
    attributes: attributeTruth,
    faults: faultCount,
    stereotypes: (run) => trueRows({ run }),
  },
  pairs: labPairs,
  questionOf: statementQuestion,
  sign,
  embedder: labModel("dual-encoder-balanced"),
};
