import promises, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterAll } from "vitest";

// Over every test of the suite: whoever opens a file closes it. Node 26 ends a process in which a file that
// is still open is collected.
const { open } = promises;
const left = new Map<FileHandle, Error>();

promises.open = async (...given) => {
  const opened = new Error(`Expected whoever opened ${String(given[0])} to close it`);
  const file = await open(...given);
  const close = file.close.bind(file);
  left.set(file, opened);
  file.close = () => {
    left.delete(file);
    return close();
  };
  return file;
};
syncBuiltinESMExports();

afterAll(() => {
  promises.open = open;
  syncBuiltinESMExports();
  const [first] = left.values();
  if (first !== undefined) throw first;
});
