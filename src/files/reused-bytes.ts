// Clearing fresh memory for a file of half a megabyte takes as long as reading it, and makes the garbage collector run.
const largest = 16e6;
/** Sizes are rounded up to this many bytes, so that files of similar sizes can use the same buffer. */
const step = 2 ** 18;
const mostFree = 8;
const free: Buffer[] = [];

/** Lends a buffer with arbitrary content. Call `giveBack` when nothing reads it any more. */
export function takeBytes(size: number): Buffer {
  const at = free.findIndex(({ length }) => length >= size);
  const [found] = at < 0 ? [] : free.splice(at, 1);
  return (found ?? Buffer.allocUnsafeSlow(Math.ceil(size / step) * step)).subarray(0, size);
}

/** Keeps a buffer of `takeBytes` for the next call. Buffers from elsewhere, such as Node.js's shared pool, are ignored. */
export function giveBack(bytes: Buffer): void {
  const { buffer } = bytes;
  if (buffer.byteLength > largest || buffer.byteLength % step !== 0 || buffer.byteLength === 0)
    return;
  if (free.length === mostFree) free.shift();
  free.push(Buffer.from(buffer));
}
