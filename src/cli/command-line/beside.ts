import { extname } from "node:path";

/** The name beside a file for what must not replace it. @example besideName("judge.json", 2) // "judge-2.json" */
export function besideName(file: string, number: number): string {
  if (number === 1) return file;
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}-${number}${ending}`;
}
