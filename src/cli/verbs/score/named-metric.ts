import { type CatalogueEntry, metricByName, metricCatalogue } from "../../../metrics/catalogue.js";

/** A metric of the catalogue as `--metric` names it. */
export interface NamedMetric {
  readonly entry: CatalogueEntry;
  readonly convention?: string;
  /** The models that it alone is to be asked of, where they were named after "=". */
  readonly models?: readonly string[];
}

/** Whether a text names a metric of the user's own: a module, ./mine.mjs, or a Python function. */
export const isOwnMetric = (text: string): boolean =>
  pythonFunction(text) !== undefined || (/[\\/]|\.[cm]?js$/.test(text) && !isPaired(text));

/** The Python function that `python:module:function` or `python:file.py:function` names. */
export const pythonFunction = (text: string): string | undefined =>
  text.startsWith("python:") ? text.slice("python:".length) : undefined;

/** Whether a text is a metric of the catalogue with models of its own: the models may be paths. */
const isPaired = (text: string): boolean => {
  const [, name] = /^([^:=]+)(:[^=]*)?=/.exec(text) ?? [];
  return metricCatalogue.some((entry) => entry.name === name);
};

/**
 * Takes a name apart: `clip-score`, `clip-score:cosine`, `clip-score=lab:dual-encoder-skewed`, or
 * `localized-vqa-score:recall=lab:vqa,lab:localizer`.
 *
 * @throws InputError for an unknown name, with the nearest.
 */
export function parseMetricName(text: string): NamedMetric {
  const end = text.indexOf("=");
  const [name = "", ...convention] = (end < 0 ? text : text.slice(0, end)).split(":");
  const models = end < 0 ? undefined : text.slice(end + 1);
  return {
    entry: metricByName(name),
    ...(convention.length === 0 ? {} : { convention: convention.join(":") }),
    ...(models === undefined ? {} : { models: models.split(",") }),
  };
}
