import { palette } from "../../views/figures/palette.js";

/** How a method's line looks: by its kind, told apart by dashes as well as by colour. */
export interface MethodLook {
  readonly colour: string;
  readonly dash: readonly number[];
  readonly width: number;
}

const looks: Readonly<Record<string, MethodLook>> = {
  standard: { colour: palette.muted, dash: [2, 3], width: 1.5 },
  best: { colour: palette.ink, dash: [6, 3], width: 1.5 },
  average: { colour: palette.green, dash: [10, 3, 2, 3], width: 2 },
  bpe: { colour: palette.blue, dash: [7, 4], width: 2 },
  mmb: { colour: palette.vermilion, dash: [], width: 2.5 },
};
const objectiveDashes: Readonly<Record<string, readonly number[]>> = {
  "global-entropy": [5, 3],
  "balanced-entropy": [2, 2],
  mixture: [9, 3, 2, 3],
};

/** Dashes of each objective of BPE; as printed it has longer ones. */
const objectiveDots: Readonly<Record<string, readonly number[]>> = {
  "per-sample-entropy": [2, 2],
  "global-entropy": [4, 2],
  "balanced-entropy": [1, 3],
  mixture: [9, 3, 2, 3],
};

/** The look of "mmb global-entropy" and the like. */
export function methodLook(method: string): MethodLook {
  const [kind = "", objective = ""] = method.split(" ");
  const look = looks[kind] ?? { colour: palette.ink, dash: [], width: 1.5 };
  const dash =
    kind === "bpe" && objective !== "" ? objectiveDots[objective] : objectiveDashes[objective];
  return dash === undefined ? look : { ...look, dash };
}
