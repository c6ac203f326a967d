import { readFileSync } from "node:fs";
import { checkData } from "touchstone-t2i/internal/benchmarks/load-data.js";
import { loadYaml } from "touchstone-t2i/internal/files/yaml.js";
import { z } from "zod";

/** The address of a file of this package, such as "weights/". */
export const packageFile = (name: string): URL => new URL(`../${name}`, import.meta.url);

/** This package's version; the tool must have the same. */
export const labVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(packageFile("package.json"), "utf8"))).version;

/** Reads a YAML file of this package's `data/`, such as "people.yaml". */
export const labYaml = (name: string): unknown => loadYaml().parse(textOf(name));

/**
 * The same, checked by `schema`.
 *
 * @throws InputError that names the file and lists every member that is wrong.
 */
export const loadLabData = <Output>(name: string, schema: z.ZodType<Output>): Output =>
  checkData(`data/${name}`, textOf(name), schema);

const textOf = (name: string) => readFileSync(packageFile(`data/${name}`), "utf8");
