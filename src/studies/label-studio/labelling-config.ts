import type { StudyBlock } from "../study.js";
import type { LabelStudioForm, LabelStudioQuestion } from "./label-studio-form.js";

/** The question about what was to be noted of an answer, which every block has. */
export const noteQuestion = "note";

/** All questions of a block, the note at last. */
export const questionsOf = (
  form: LabelStudioForm,
  block: StudyBlock,
): readonly LabelStudioQuestion[] => [
  ...form.questions(block),
  { name: noteQuestion, title: "Note (optional)", kind: "text" },
];

/** Subject of a question's results: its `to_name`. */
export function aboutOf({ shown }: LabelStudioForm, { kind }: LabelStudioQuestion): string {
  const images = shown.filter((one) => one.kind === "images").map(({ name }) => name);
  return kind === "pairwise" ? images.join(",") : (images[0] ?? "");
}

/**
 * The labelling configuration of a block: what is shown, then the questions. One image is a `value`,
 * several are a `valueList`, which Label Studio turns the pages of.
 *
 * @param options.columns columns of the tasks' data; those with lists hold several images
 */
export function labellingConfig(
  form: LabelStudioForm,
  {
    block,
    columns,
  }: { readonly block: StudyBlock; readonly columns: ReadonlyMap<string, "one" | "list"> },
): string {
  const there = form.shown.filter(({ name }) => columns.has(name));
  const texts = there.flatMap(({ name, kind }) =>
    kind === "text" ? [tag("Text", { name, value: `$${name}` })] : [],
  );
  const images = there.flatMap(({ name, kind }) => {
    if (kind === "text") return [];
    const value = `$${name}`;
    return [
      columns.get(name) === "list"
        ? tag("Image", { name, valueList: value })
        : tag("Image", { name, value, zoom: "true" }),
    ];
  });
  const style = "display: grid; grid-template-columns: 1fr 1fr; column-gap: 1em";
  const beside = images.map((image) => tag("View", {}, [image]));
  const shown = [...texts, ...(images.length > 1 ? [tag("View", { style }, beside)] : images)];
  const asked = questionsOf(form, block).flatMap((question, index) => [
    ...(question.title === undefined ? [] : [tag("Header", { value: question.title, size: "4" })]),
    control(question, { toName: aboutOf(form, question), isRequired: index === 0 }),
  ]);
  const { guide } = block.settings;
  const lines = [
    ...(guide === undefined ? [] : [tag("Header", { value: guide, size: "5" })]),
    ...shown,
    ...asked,
  ];
  return `${tag("View", {}, lines)}\n`;
}

function control(
  question: LabelStudioQuestion,
  { toName, isRequired }: { readonly toName: string; readonly isRequired: boolean },
): string {
  const { name, kind } = question;
  const shared = { name, toName, ...(isRequired ? { required: "true" } : {}) };
  switch (kind) {
    case "rating":
      return tag("Rating", { ...shared, maxRating: String(question.most) });
    case "pairwise":
      return tag("Pairwise", { name, toName });
    case "text":
      return tag("TextArea", { ...shared, maxSubmissions: "1", editable: "true" });
    default: {
      const choices = question.choices.map(({ value, label }) =>
        tag("Choice", label === value ? { value } : { value: label, alias: value }),
      );
      const choice = kind === "several" ? "multiple" : "single-radio";
      return tag("Choices", { ...shared, choice, showInline: "true" }, choices);
    }
  }
}

function tag(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly string[] = [],
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const open = `<${name}${given.join("")}`;
  return children.length === 0
    ? `${open}/>`
    : [`${open}>`, ...children.map(indented), `</${name}>`].join("\n");
}

const indented = (text: string): string => text.replace(/^/gm, "  ");

const signs: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

// A control character is no character of XML at all.
const escaped = (text: string): string =>
  text.replace(/[&<>"\n]/g, (sign) => signs[sign] ?? sign).replace(/\p{Cc}/gu, " ");
