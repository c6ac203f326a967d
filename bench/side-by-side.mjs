// Times two ways of doing one thing, turn by turn, so that a machine's ups and downs meet both.

/**
 * @param ours does the work and returns its result; timed here, warmed up once.
 * @param theirs resolves to `{ seconds, result }`, timed by the peer itself.
 * @param pairs turns; what is quick takes five times as many.
 * @param clock what both are timed by, in seconds: the wall's, or the processor's.
 * @returns medians in seconds, the median of the turns' ratios theirs / ours (above
 *   1: ours is faster) with the smallest and largest, and both results.
 */
export async function sideBySide({ ours, theirs, pairs = 5, clock = wallClock }) {
  const mine = [];
  const other = [];
  let result;
  let peerResult;
  await ours();
  const { seconds } = await theirs();
  const turns = seconds < 0.1 ? 5 * pairs : pairs;
  for (let turn = 0; turn < turns; turn++) {
    const start = clock();
    result = await ours();
    mine.push(clock() - start);
    const answer = await theirs();
    other.push(answer.seconds);
    peerResult = answer.result;
  }
  const ratios = mine.map((seconds, turn) => other[turn] / seconds);
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

function wallClock() {
  return performance.now() / 1000;
}

/**
 * Time of the processor, of this process with all its threads: other work on the machine makes
 * everybody wait, but does not make the work more. For work that itself waits for nothing.
 */
export function processorClock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export const inSeconds = (seconds) =>
  seconds < 0.01 ? `${(seconds * 1000).toFixed(2)} ms` : `${seconds.toFixed(3)} s`;
