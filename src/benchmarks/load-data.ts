import { readFileSync } from "node:fs";
import type { z } from "zod";
import { InputError } from "../core/errors.js";
import { readYaml } from "../files/yaml.js";

/**
 * A data file (`data/<name>`, such as "prototypicality/taxonomy.yaml"), checked by `schema`.
 *
 * @throws InputError that names the file and lists every member that is wrong.
 */
export function loadData<Output>(name: string, schema: z.ZodType<Output>): Output {
  const file = `data/${name}`;
  return checkData(file, readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"), schema);
}

/** The YAML in `text`, checked by `schema`; `file` is what an error calls it. */
export function checkData<Output>(file: string, text: string, schema: z.ZodType<Output>): Output {
  const { value } = readYaml(file, text);
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map(
    ({ path, message }) => `${path.join(".") || "the file"}: ${message}`,
  );
  throw new InputError(
    `Expected the members of ${file} to follow its schema but ${problems.length} do not: ${problems[0]}`,
    { hint: `Correct ${file}; its first lines describe every member.`, problems },
  );
}
