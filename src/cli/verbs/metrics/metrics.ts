import { z } from "zod";
import { loadData } from "../../../benchmarks/load-data.js";
import { largestOf } from "../../../core/arrays.js";
import { listText } from "../../../core/phrases.js";
import { publishedLine } from "../../../evidence/card-notes.js";
import { metricCatalogue } from "../../../metrics/catalogue.js";
import { contractWords } from "../../../models/contracts.js";
import { command } from "../../command-line/command.js";
import { wrap } from "../../terminal/wrap.js";

export default command({
  description:
    "Lists the metrics of images against texts: what each measures and gives, what a model must do to " +
    "carry it, what it costs, its published conventions, and how often published people's answers agree with it. Nothing is asked or loaded.",
  examples: ["touchstone metrics", "touchstone metrics --json"],
  arguments: {},
  async run({ output }) {
    const metrics = metricCatalogue.map(
      ({ name, summary, gives, needs, also = [], costs, conventions }) => ({
        name,
        measures: summary,
        gives,
        needs: [...needs, ...also],
        costs,
        conventions: [...conventions],
        publishedWeights: false,
        evidence: publishedLine(name) ?? "none in the published sets of touchstone evidence",
      }),
    );
    output.resultJson({ metrics });
    output.result(
      [
        ...metrics.map(({ name, measures, gives, needs, costs, conventions, evidence }) =>
          entryText(
            name,
            {
              measures,
              gives,
              needs: `a model that ${listText(needs.map((one) => contractWords[one]))}`,
              costs,
              evidence,
              ...(conventions.length === 0 ? {} : { conventions: conventionsText(conventions) }),
            },
            output.style,
            wrap,
          ),
        ),
        wrap(
          "We checked their code against numbers worked out by hand and in the lab, but ran none with published weights. " +
            "touchstone metrics models lists the models that they can ask.",
          output.style.width,
        ),
      ].join("\n\n"),
    );
    output.nextCommand(["metrics", "models"]);
  },
});

const mostShown = 6;

function conventionsText(conventions: readonly string[]): string {
  return conventions.length > mostShown
    ? `${conventions[0]} is the default; ${conventions.length - 1} others (--json)`
    : `${conventions.join(", ")}; the first is the default`;
}

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
});

/** Loads what is known of providers of models before anything is asked. */
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
