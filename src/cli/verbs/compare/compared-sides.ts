import { basename, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";

/** One of the two that are compared: its name, and the folder, table or run that its images are in. */
export interface ComparedSide {
  readonly name: string;
  readonly source: string;
}

export type TwoSides = readonly [a: ComparedSide, b: ComparedSide];

/**
 * The two sides that a command line names, `NAME=SOURCE` or a source alone, which is then called as its last part.
 *
 * @throws InputError where they are not two, or have one name or source.
 */
export function twoSides(texts: readonly string[], workingDirectory: string): TwoSides {
  const named = texts.map((text): ComparedSide => {
    const [, name, source] = /^([^=/\\]+)=(.+)$/.exec(text) ?? [];
    return name === undefined || source === undefined
      ? { name: nameOf(text), source: text }
      : { name: name.trim(), source };
  });
  const [a, b, ...more] = named;
  if (a === undefined || b === undefined || more.length > 0) {
    throw new InputError(
      `Expected two folders, runs or tables of images to compare but received ${texts.length}`,
      { hint: "touchstone compare --images A=images-a --images B=images-b" },
    );
  }
  if (resolve(workingDirectory, a.source) === resolve(workingDirectory, b.source)) {
    throw new InputError(`Expected two places of images but received ${a.source} twice`);
  }
  if (a.name !== b.name) return [a, b];
  if (a.source === b.source || texts.includes(`${a.name}=${a.source}`)) {
    throw new InputError(`Expected two names for --images but received ${a.name} twice`);
  }
  return [
    { ...a, name: a.source },
    { ...b, name: b.source },
  ];
}

const nameOf = (source: string): string =>
  basename(source.replace(/[/\\]+$/, "")).replace(/\.\w+$/, "") || source;
