// Scores of one image by several metrics, and what the command line makes of errors.

import {
  blipVqa,
  clipScore,
  GateError,
  IncompleteError,
  InputError,
  localizedVqaScore,
  NoAnswer,
  openPicture,
  ruleDecomposer,
  score,
  TouchstoneError,
  vqaScore,
} from "touchstone-t2i";
import { placebos } from "touchstone-t2i/runs";
import { labModel, labModelNames, labPainter, painterNames } from "touchstone-t2i-lab";

const said = "A dog is in a meadow.";
const { bytes } = await labPainter({ name: painterNames()[0] }).generate({ prompt: said, seed: 1 });
const image = await openPicture(bytes);
const encoder = labModel("dual-encoder-balanced");
const vqa = labModel("vqa");
console.log(labModelNames.includes("vqa")); // true
for (const metric of [
  clipScore({ model: encoder, convention: "cosine" }),
  vqaScore({ model: vqa }),
  localizedVqaScore({ model: vqa, localizer: labModel("localizer") }),
  blipVqa({ model: vqa, decomposer: ruleDecomposer() }),
]) {
  const result = await score({ image, text: said, metric });
  console.log(metric.name, result.status === "scored" ? result.value : result.reason);
}

// Whether a metric reads its texts and looks at its images; one image is too few to tell.
const metric = clipScore({ model: encoder });
console.log((await placebos(metric, [{ text: said, image }])).state); // too-few

/** What the command line makes of an error: its exit code. */
const exitCode = (error: unknown) => {
  if (error instanceof NoAnswer) return 0; // one item without a score
  if (error instanceof InputError) return 2;
  if (error instanceof IncompleteError) return 3;
  if (error instanceof GateError) return 4;
  return error instanceof TouchstoneError ? 2 : 1;
};
console.log(exitCode(new InputError("Expected a file")));
