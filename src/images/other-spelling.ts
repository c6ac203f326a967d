import { stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

/**
 * Says by which other name a file that is missing is there, or what is odd about its own: a path as Windows writes it,
 * another form of accents, another case. Undefined where nothing tells.
 *
 * @param path the file's path; `name` as its table has it.
 */
export async function otherSpelling(path: string, name: string): Promise<string | undefined> {
  if (/^([A-Za-z]:[\\/]|\\\\)/.test(name)) {
    return "it is a path of Windows; name the file as seen from the table, with / between folders";
  }
  if (name.includes("\\")) {
    const plain = name.replaceAll("\\", "/");
    return (await isFile(path.replaceAll("\\", "/")))
      ? `it is there as ${plain}: write / for \\, as all systems read it`
      : "folders are separated by /, not by \\";
  }
  const own = basename(path);
  for (const form of ["NFC", "NFD"] as const) {
    if (own !== own.normalize(form) && (await isFile(join(dirname(path), own.normalize(form))))) {
      return `a file is there whose accents are written in another form (${form} of Unicode): write the name in the same form`;
    }
  }
  const ending = extname(own);
  const stem = own.slice(0, own.length - ending.length);
  for (const other of [
    own.toLowerCase(),
    stem + ending.toUpperCase(),
    stem + ending.toLowerCase(),
  ]) {
    if (other !== own && (await isFile(join(dirname(path), other))))
      return `it is there as ${other}`;
  }
  return undefined;
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
