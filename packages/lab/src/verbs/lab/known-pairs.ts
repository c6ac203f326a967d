import type { KnownPair } from "touchstone-t2i/internal/cli/verbs/card/card-asks.js";
import { paintEqualPairs, paintPreferencePairs } from "../../evaluate/preference-pictures.js";

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
