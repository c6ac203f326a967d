import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import { once } from "../core/once.js";

/** The YAML parser, loaded when it is first used. */
export const loadYaml = once((): typeof Yaml => createRequire(import.meta.url)("yaml"));

/** Reads a YAML file of the package's `data/`, such as "lab/people.yaml". */
export const packagedYaml = (name: string): unknown =>
  loadYaml().parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), "utf8"));
