import { type QuestionKind, questionKinds } from "../../analysis/evidence/evidence-table.js";
import { forestFigure } from "../../conclusions/evidence/figure.js";
import { evidenceVerdict, evidenceView } from "../../conclusions/evidence/view.js";
import { shellWord } from "../../core/shell-word.js";
import { evidenceJson, foundFor, viewOfMetric } from "../../evidence/found.js";
import { shippedFigures } from "../../evidence/shipped-figures.js";
import { svgFileOf } from "../../report/drawing/svg.js";
import { csvText } from "../../tables/cell-table.js";
import { dataCells, type View } from "../../views/view.js";
import { Refusal } from "../refusal.js";

/** What published sets say of metrics, with the questions and metrics that there are. */
export interface EvidencePage {
  readonly questions: readonly QuestionKind[];
  /** Measured for the question, the best first. */
  readonly metrics: readonly string[];
  readonly view: View;
  /** The command that prints the same. */
  readonly command: string;
  /** Output of --json. */
  readonly json: string;
  readonly csv: string;
  /** Undefined for one metric. */
  readonly plot:
    | {
        readonly svg: string;
        readonly narrow: string | undefined;
        readonly description: string;
        readonly caption: string;
      }
    | undefined;
}

/**
 * Published evidence as the verb `evidence` concludes it, from the figures that are shipped.
 *
 * @throws Refusal for a question that nobody was asked; InputError for a metric that no set has.
 */
export async function evidencePage({
  for: asked = "alignment",
  metric,
}: Readonly<Record<string, string | undefined>>): Promise<EvidencePage> {
  const question = questionKinds.find((one) => one === asked);
  if (question === undefined) {
    throw new Refusal(
      400,
      "question",
      `Expected one of ${questionKinds.join(", ")} for the question`,
    );
  }
  const { version, sets } = shippedFigures();
  const found = foundFor(question, sets);
  const { data, ...view } = metric ? viewOfMetric(metric, sets) : evidenceView(found);
  const words = metric ? ["--metric", metric] : question === "alignment" ? [] : ["--for", question];
  return {
    questions: questionKinds.filter((one) => foundFor(one, sets).metrics.length > 0),
    metrics: found.metrics.map((one) => one.metric),
    view,
    command: ["touchstone", "evidence", ...words].map(shellWord).join(" "),
    json: `${JSON.stringify(evidenceJson(sets, version, evidenceVerdict(found)), null, 2)}\n`,
    csv: csvText(dataCells(data)),
    plot: metric ? undefined : await drawn(question),
  };
}

/** Drawn once: the figures change with the program alone. */
const plots = new Map<QuestionKind, Promise<NonNullable<EvidencePage["plot"]>>>();

function drawn(question: QuestionKind) {
  const known = plots.get(question) ?? draw(question);
  plots.set(question, known);
  known.catch(() => plots.delete(question));
  return known;
}

async function draw(question: QuestionKind): Promise<NonNullable<EvidencePage["plot"]>> {
  const figure = forestFigure(foundFor(question, shippedFigures().sets));
  const { spec, narrow, title, caption } = figure;
  return {
    svg: await svgFileOf(spec),
    narrow: narrow && (await svgFileOf(narrow)),
    description: spec.description ?? title,
    caption,
  };
}
