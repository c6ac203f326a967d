import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";

const memory = "/dev/shm";
/** A container often has 64 MB there. */
const leastBytes = 2e9;

/**
 * Makes a folder in memory for the temporary files of tests, where there is room: they wait for thousands of
 * files to be on a disk, and none of them is about what outlasts a power cut. `use-memory-disk.ts` has them use it.
 */
export default async function makeMemoryDisk(): Promise<(() => Promise<void>) | undefined> {
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  if (process.env.TMPDIR !== undefined || room < leastBytes) return undefined;
  const folder = await mkdtemp(`${memory}/t-`);
  // As /tmp is: a PostgreSQL server of the tests has a user of its own.
  await chmod(folder, 0o1777);
  process.env.TOUCHSTONE_TESTS_FOLDER = folder;
  return () => rm(folder, { recursive: true, force: true });
}
