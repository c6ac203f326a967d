// Times two or more ways of doing one thing, turn by turn, so that a machine's ups and downs meet all.

/**
 * @param ours does the work and returns its result; timed here.
 * @param peers by name; each resolves to `{ seconds, result }`, timed by the peer itself.
 * @param pairs turns; what is quick takes five times as many.
 * @param clock what ours is timed by, in seconds: the wall's, or the processor's.
 * @param isFirst whether each turn is a process of its own: nothing is warmed, and ours says its
 *   `{ seconds, result }` itself.
 * @returns of the peer with the least median: its name, medians in seconds, the median of the turns'
 *   ratios theirs / ours (above 1: ours is faster) with the smallest and largest, and both results;
 *   `others`, the medians of the other peers by name.
 */
export async function sideBySide({ ours, peers, pairs = 5, clock = wallClock, isFirst = false }) {
  const names = Object.keys(peers);
  const mine = [];
  const theirs = names.map(() => []);
  const results = [];
  let result;
  let quickest = Number.POSITIVE_INFINITY;
  if (!isFirst) {
    await ours();
    for (const name of names) quickest = Math.min(quickest, (await peers[name]()).seconds);
  }
  const isQuick = quickest < 0.1;
  const turns = isQuick ? 5 * pairs : pairs;
  // What is quick has been compiled, and has its memory, only after some turns: of either side.
  const warming = isQuick ? 10 : 0;
  for (let turn = -warming; turn < turns; turn++) {
    const start = clock();
    const done = await ours();
    result = isFirst ? done.result : done;
    if (turn >= 0) mine.push(isFirst ? done.seconds : clock() - start);
    for (const [at, name] of names.entries()) {
      const answer = await peers[name]();
      if (turn >= 0) theirs[at].push(answer.seconds);
      results[at] = answer.result;
    }
  }
  const medians = theirs.map(median);
  const best = medians.indexOf(medians.reduce((a, b) => Math.min(a, b)));
  const ratios = mine.map((seconds, turn) => theirs[best][turn] / seconds);
  return {
    peer: names[best],
    others: Object.fromEntries(
      names.map((name, at) => [name, medians[at]]).filter((_, at) => at !== best),
    ),
    ours: median(mine),
    theirs: medians[best],
    ratio: median(ratios),
    low: ratios.reduce((a, b) => Math.min(a, b)),
    high: ratios.reduce((a, b) => Math.max(a, b)),
    turns,
    result,
    peerResult: results[best],
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
  seconds < 1e-3
    ? `${(seconds * 1e6).toPrecision(3)} µs`
    : seconds < 0.1
      ? `${(seconds * 1000).toPrecision(3)} ms`
      : `${seconds.toPrecision(3)} s`;
