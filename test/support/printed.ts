/** What one command line wrote; it may still be writing. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

const kept = new Map<Printed, number>();

/** Notes what a command line of a test writes, so that what every one prints can be looked at. */
export function keepPrinted(written: Printed): void {
  kept.set(written, 0);
}

/** What was written by all of them since this was last asked. */
export function newlyPrinted(): string[] {
  const texts: string[] = [];
  for (const [written, seen] of kept) {
    const { stdout, stderr } = written;
    const length = stdout.length + stderr.length;
    if (length === seen) continue;
    kept.set(written, length);
    texts.push(`${stdout}\n${stderr}`);
  }
  return texts;
}

/** Lets go of what the tests of one file wrote: a worker runs hundreds of files. */
export function forgetPrinted(): void {
  kept.clear();
}
