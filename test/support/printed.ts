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
  return [...kept].map(([written, seen]) => {
    const all = `${written.stdout}\n${written.stderr}`;
    kept.set(written, all.length);
    return all.length === seen ? "" : all;
  });
}
