import { createHash } from "node:crypto";
import { access, readdir, readFile } from "node:fs/promises";
import type { KnownPair } from "touchstone-t2i/internal/cli/verbs/card/card-asks.js";
import {
  type Check,
  type Finding,
  tryOut,
} from "touchstone-t2i/internal/cli/verbs/doctor/checks.js";
import { paintEqualPairs, paintPreferencePairs } from "../../evaluate/preference-pictures.js";
import { labModel, labModelNames } from "../../models/lab-model.js";
import { weightsDirectory } from "../../models/weights.js";
import { packageFile } from "../../package-file.js";

const reinstall = "Install it again: npm ci in a clone, npm install touchstone-t2i-lab elsewhere";

/** What `touchstone doctor` checks of the lab, in order. */
export const labChecks: readonly Check[] = [
  {
    name: "lab art",
    look: () =>
      tryOut(async () => {
        await access(packageFile("dist/art.json"));
        return "there";
      }, "It is made by the build: npm run build in a clone"),
  },
  { name: "lab weights", look: () => weightsFinding(reinstall) },
  {
    name: "lab models run",
    look: () =>
      tryOut(async () => {
        const vector = await labModel("dual-encoder-skewed").embedText("a dog");
        return `onnxruntime-web (WASM) embeds a text in ${vector.length} numbers`;
      }, reinstall),
  },
];

/** Looks for the graphs of every lab model; names the size and hash of each. */
export async function weightsFinding(
  advice: string,
  directory: URL = weightsDirectory,
): Promise<Finding> {
  const found: string[] = [];
  let bytesOfAll = 0;
  const missing: string[] = [];
  for (const model of labModelNames) {
    const folder = new URL(`${model}/onnx/`, directory);
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".onnx"));
    if (names.length === 0) missing.push(model);
    for (const name of names.sort()) {
      const bytes = await readFile(new URL(name, folder));
      const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
      bytesOfAll += bytes.length;
      found.push(`${model}/${name} ${(bytes.length / 1e6).toFixed(2)} MB ${hash}`);
    }
  }
  if (missing.length === 0) {
    const summary = `${found.length} files, ${(bytesOfAll / 1e6).toFixed(1)} MB; --json lists their hashes`;
    return { state: "ok", detail: found.join("; "), summary };
  }
  return { state: "wrong", detail: `no weights for ${missing.join(", ")}`, advice };
}

/** Paints pairs of which one picture is better by the truth, then pairs of which neither is; each once a caption. */
export async function paintKnownPairs({
  captions,
  seed,
  onPainted,
  signal,
}: {
  readonly captions: number;
  readonly seed: number;
  /** Told of each painted pair, of the first kind and then of the second: 2 × captions at the end. */
  readonly onPainted?: (done: number) => void;
  readonly signal?: AbortSignal;
}): Promise<KnownPair[]> {
  const shared = { captions, seed, ...(signal === undefined ? {} : { signal }) };
  const unequal = await paintPreferencePairs({ ...shared, ...(onPainted && { onPainted }) });
  const equal = await paintEqualPairs({
    ...shared,
    onPainted: (done) => onPainted?.(captions + done),
  });
  return [
    ...unequal.map(({ better, ...pair }, at): KnownPair => {
      const label = better === "a" ? 1 : 0;
      return { ...pair, id: `pair-${at}`, known: { label, equal: 0 } };
    }),
    ...equal.map((pair, at): KnownPair => ({ ...pair, id: `equal-${at}`, known: { equal: 1 } })),
  ];
}
