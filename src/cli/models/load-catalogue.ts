import { z } from "zod";
import { loadData } from "../../benchmarks/load-data.js";
import { largestOf } from "../../core/arrays.js";

const words = z.string().min(1);
const published = z.boolean();

const schema = z.strictObject({
  models: z.record(
    words,
    z.strictObject({
      example: words,
      gives: words,
      needs: words,
      costs: words,
      tried: words,
      published,
    }),
  ),
  metrics: z.record(words, z.strictObject({ gives: words, costs: words })),
});

/** Loads what is known of providers of models and of metrics before anything is asked. */
export const loadCatalogue = (): z.output<typeof schema> => loadData("catalogue.yaml", schema);

/** Members of an entry in lines, each under its name, wrapped. */
export function entryText(
  title: string,
  members: Readonly<Record<string, string>>,
  { width, bold }: { readonly width: number; bold(text: string): string },
  wrap: (text: string, width: number) => string,
): string {
  const margin = largestOf(Object.keys(members).map((name) => name.length)) + 4;
  const lines = Object.entries(members).map(([name, text]) => {
    const wrapped = wrap(text, width - margin).replaceAll("\n", `\n${" ".repeat(margin)}`);
    return `${`  ${name}`.padEnd(margin)}${wrapped}`;
  });
  return [bold(title), ...lines].join("\n");
}
