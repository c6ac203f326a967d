/**
 * Takes bytes as they come and gives lines of at most `longest` bytes, without their ends, as UTF-8.
 * A longer line is never held: `tooLong` is called once and nothing after it is read.
 */
export function boundedLines({
  longest,
  line,
  tooLong,
}: {
  readonly longest: number;
  readonly line: (text: string) => void;
  readonly tooLong: () => void;
}): (chunk: Uint8Array) => void {
  let parts: Uint8Array[] = [];
  let length = 0;
  let isOver = false;
  return (chunk) => {
    let start = 0;
    while (!isOver && start < chunk.length) {
      const end = chunk.indexOf(newline, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      length += part.length;
      if (length > longest) {
        isOver = true;
        parts = [];
        tooLong();
        return;
      }
      parts.push(part);
      if (end < 0) return;
      const text = Buffer.concat(parts).toString("utf8");
      parts = [];
      length = 0;
      start = end + 1;
      line(text);
    }
  };
}

const newline = 10;
