// To clear fresh memory for a file of half a megabyte takes as long as to read it, and makes the collector run.
const largest = 16e6;
/** Files of alike sizes share them. */
const step = 2 ** 18;
const mostFree = 8;
const free: Buffer[] = [];

/** Bytes of which nobody says what they hold, for a short while; `giveBack` them once nothing looks at them any more. */
export function takeBytes(size: number): Buffer {
  const at = free.findIndex(({ length }) => length >= size);
  const [found] = at < 0 ? [] : free.splice(at, 1);
  return (found ?? Buffer.allocUnsafeSlow(Math.ceil(size / step) * step)).subarray(0, size);
}

/** Takes bytes of `takeBytes` back, for the next who needs some. Others, such as Node.js shares, are left alone. */
export function giveBack(bytes: Buffer): void {
  const { buffer } = bytes;
  if (buffer.byteLength > largest || buffer.byteLength % step !== 0 || buffer.byteLength === 0)
    return;
  if (free.length === mostFree) free.shift();
  free.push(Buffer.from(buffer));
}
