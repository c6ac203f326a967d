/**
 * The bytes that are still to be read with a chunk behind them, at the front of the buffer, or of a larger one
 * where it is too small.
 *
 * @param room how many bytes must fit in behind the chunk.
 */
export function unreadAnd(
  chunk: Uint8Array,
  bytes: Uint8Array<ArrayBuffer>,
  { from, to, room }: { readonly from: number; readonly to: number; readonly room: number },
): Uint8Array<ArrayBuffer> {
  const rest = to - from;
  const needed = rest + chunk.length + room;
  const next = needed > bytes.length ? new Uint8Array(2 * needed) : bytes;
  if (next === bytes) bytes.copyWithin(0, from, to);
  else next.set(bytes.subarray(from, to));
  next.set(chunk, rest);
  return next;
}
