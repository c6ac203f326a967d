// Times two ways of doing one thing, turn by turn, so that a machine's ups and downs meet both.

/**
 * @param ours does the work and returns its result; timed here, warmed up once.
 * @param theirs resolves to `{ seconds, result }`, timed by the peer itself.
 * @returns medians in seconds, the median of the pairs' ratios theirs / ours (above 1: ours is
 *   faster) with the smallest and largest, and both results.
 */
export async function sideBySide({ ours, theirs, pairs = 5 }) {
  const mine = [];
  const other = [];
  let result;
  let peerResult;
  await ours();
  await theirs();
  for (let pair = 0; pair < pairs; pair++) {
    const start = performance.now();
    result = await ours();
    mine.push((performance.now() - start) / 1000);
    const answer = await theirs();
    other.push(answer.seconds);
    peerResult = answer.result;
  }
  const ratios = mine.map((seconds, pair) => other[pair] / seconds);
  return {
    ours: median(mine),
    theirs: median(other),
    ratio: median(ratios),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
    result,
    peerResult,
  };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export const inSeconds = (seconds) =>
  seconds < 0.01 ? `${(seconds * 1000).toFixed(2)} ms` : `${seconds.toFixed(3)} s`;
