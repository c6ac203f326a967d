import { resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import type { Environment } from "../environment.js";

export const openArgument = {
  open: { kind: "switch", description: "open the page in the browser" },
} as const satisfies Arguments;

/** @throws InputError for --open where no page is written. */
export function checkOpen({
  open,
  out,
}: {
  readonly open: boolean;
  readonly out: string | undefined;
}): void {
  if (!open || (out !== undefined && /\.html?$/i.test(out))) return;
  throw new InputError(
    `Expected a page to open, --out with a name that ends in .html, but received ${out ?? "none"}`,
  );
}

/** Opens the page that was written, where --open was given. */
export function openWhere(
  { open, out }: { readonly open: boolean; readonly out: string | undefined },
  environment: Pick<Environment, "open" | "workingDirectory">,
): void {
  if (open && out !== undefined) environment.open(resolve(environment.workingDirectory, out));
}
