import { evidenceOfCells } from "../../analysis/pairs/pair-cells.js";
import { pairSums, readPairCells } from "../sums/pair-sums.js";
import type { GivenTable, Inputs } from "../table-options.js";

export const sums = pairSums({
  name: "contrastive",
  sides: ["correct", "adversarial"],
  domain: "domain",
  only: { scale: "none" },
});

/** @throws InputError as `readPairCells` does. */
export const read = async (given: GivenTable, inputs: Inputs) =>
  evidenceOfCells(await readPairCells(sums, [given, inputs]));
