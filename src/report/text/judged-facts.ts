import type { AnyRecord, RecordOf } from "../../core/records.js";

/** A line on a record: what it is about, and what is to be said of it. */
export type Fact = readonly [name: string, value: string];

/** What a judge, a refiner or a painter was told, and what came. */
export function judgedFacts(record: AnyRecord): Fact[] {
  switch (record.type) {
    case "query":
      return [
        ...(record.status === "done" ? [["query", record.text] as const] : []),
        ["category", record.category],
      ];
    case "audit":
      return auditFacts(record);
    case "refinement":
      return [
        ["query", `${record.text} (${record.category})`],
        ["painted by", record.generator],
        ...record.stereotypes.map((found): Fact => ["present", explained(found)]),
        ...(record.status === "done" ? [["rewritten to", record.prompt] as const] : []),
        ["rewritten by", record.model],
      ];
    case "pair":
      return [
        ...(record.status === "done" ? [["caption", record.caption] as const] : []),
        ["painters", `a by ${record.painterA}, b by ${record.painterB}, style ${record.style}`],
      ];
    case "judgment":
      return [
        ...(record.status === "done"
          ? [["value", sharesText(Object.entries(record.probabilities))] as const]
          : []),
        ["caption", record.caption],
        ["pair", `${record.pair}, image ${record.firstShown} shown first`],
        ["prompt", `${record.prompt} of ${record.pool}`],
        ["judged by", record.model],
      ];
    case "image-judgment": {
      const { answers } = record;
      const said = record.status === "done" ? record.probabilities : [];
      const shares = said.map((share, at) => [answers[at] ?? "", share] as const);
      return [
        ...(shares.length > 0 ? [["value", sharesText(shares)] as const] : []),
        ["text", record.text],
        ["item", record.item],
        ["prompt", `${record.prompt} of ${record.pool}`],
        ["judged by", record.model],
      ];
    }
    default:
      return [];
  }
}

/** `P(a) 0.91, P(b) 0.09` */
const sharesText = (shares: readonly (readonly [answer: string, share: number])[]) =>
  shares.map(([answer, share]) => `P(${answer}) ${share}`).join(", ");

function auditFacts(audit: RecordOf<"audit">): Fact[] {
  const answers = audit.status === "done" ? audit.answers : [];
  const answered = answers.filter(({ status }) => status === "answered");
  const present = answered.filter((answer) => answer.status === "answered" && answer.present === 1);
  return [
    ...(answers.length === 0
      ? []
      : [["value", `${present.length} present of ${answered.length} answered`] as const]),
    ["query", `${audit.text} (${audit.category}, ${audit.phase})`],
    ["painted by", audit.generator],
    ["judged by", audit.model],
    ...answers.map(
      (answer): Fact =>
        answer.status === "answered"
          ? [answer.present === 1 ? "present" : "absent", explained(answer)]
          : ["unscored", `${answer.item}: ${answer.reason}: ${answer.detail}`],
    ),
  ];
}

/** A judge may say no more than that it is there. */
const explained = (found: { readonly item: string; readonly explanation: string }) =>
  found.explanation === "" ? found.item : `${found.item}: ${found.explanation}`;
