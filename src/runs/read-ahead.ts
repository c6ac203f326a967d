/** Takes items from `source` before they are asked for, at most `count` of them at a time. */
export async function* readAhead<Item>(
  source: AsyncIterable<Item>,
  count: number,
): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  const ready: Promise<IteratorResult<Item>>[] = [];
  const fill = () => {
    while (ready.length < count) {
      const next = items.next();
      // Whoever asks for it hears of the failure; until then it must not end the process.
      next.catch(() => {});
      ready.push(next);
    }
  };
  try {
    for (;;) {
      fill();
      const first = await ready.shift();
      if (first === undefined || first.done) return;
      fill();
      yield first.value;
    }
  } finally {
    await items.return?.();
  }
}
