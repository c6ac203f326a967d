/** Sets a member by any name: `__proto__` set in the plain way would be lost. */
export function setOwn(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") row[name] = value;
  else
    Object.defineProperty(row, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

/** A row with all members: to copy it is faster, and takes less memory, than to let one grow. */
export const blankRow = (names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, undefined]));
