import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, normalize, resolve, sep } from "node:path";
import type { Filled } from "../../core/options.js";
import { outsideProblem } from "../../files/outside.js";
import { Refusal } from "../refusal.js";

/**
 * Refuses entries of a form that name what lies outside a folder: an absolute path, a way up, or a link that leads out,
 * wherever in an entry it stands (NAME=DIR, python:FILE:function).
 *
 * @throws Refusal with the entry's name.
 */
export async function refuseOutside(filled: Filled, root: string): Promise<void> {
  for (const [name, value] of Object.entries(filled)) {
    const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
    for (const part of texts.flatMap(partsOf)) {
      const leadsUp =
        normalize(part).split(sep).includes("..") || /(^|[/\\])\.\.([/\\]|$)/.test(part);
      if (
        leadsUp ||
        isAbsolute(part) ||
        /^[A-Za-z]:[\\/]/.test(part) ||
        (await leadsOut(part, root))
      ) {
        throw new Refusal(
          403,
          "outside",
          `Expected ${name} inside the folder that the studio was opened on but received "${part}"`,
          { hint: "Open the studio on a folder that holds it: touchstone studio DIR" },
        );
      }
    }
  }
}

/** A text, and what may be a path within it: a web address is taken for none, but for what it says itself as a path. */
function partsOf(whole: string): string[] {
  const text = whole.replace(/(?<=^|[=,:\s])https?:\/\/[^\s,=]*/g, "");
  return [whole, text, ...text.split(/[=,]/), ...text.split(/[=:,]/)];
}

/** Whether links lead out of the folder on the way to a path, which need not be there yet. */
async function leadsOut(part: string, root: string): Promise<boolean> {
  if (part === "" || part.includes("\0")) return part !== "";
  let path = resolve(root, part);
  for (;;) {
    const found = await lstat(path).catch(() => undefined);
    const target = found && (await realpath(path).catch(() => undefined));
    // A link to nothing may lead anywhere.
    if (found !== undefined && target === undefined) return true;
    if (target !== undefined) return (await outsideProblem(path, [root])) !== undefined;
    path = dirname(path);
  }
}
