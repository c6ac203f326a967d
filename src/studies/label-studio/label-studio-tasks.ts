import type { JsonObject } from "../../core/json.js";
import { xmlText } from "../../core/xml-text.js";
import type { Showing } from "../protocols/protocol.js";
import { protocolOf } from "../protocols/protocols.js";
import type { Tokens } from "../server/signed-tokens.js";
import type { StudyBlock, StudyItem } from "../study.js";
import type { LabelStudioForm, LabelStudioQuestion } from "./label-studio-form.js";

/** An item as a task of Label Studio; everybody sees the same task. */
export interface LabelStudioTaskItem {
  /** Tells nothing about the item without the study's secret. */
  readonly key: string;
  readonly item: StudyItem;
  readonly kind: "item" | "gold";
  /** Whether the sides of a pair are exchanged: those of every second task are. */
  readonly swapped: boolean;
}

/** The tasks of a block, items and gold mixed, in the order of their keys, which is as good as random. */
export function tasksOf(block: StudyBlock, tokens: Tokens): readonly LabelStudioTaskItem[] {
  const keyed = (kind: "item" | "gold") => (item: StudyItem) => ({
    key: tokens.mac("label-studio", block.name, item.id),
    item,
    kind,
  });
  const isPair = block.settings.protocol === "pairwise";
  return [...block.items.map(keyed("item")), ...block.gold.map(keyed("gold"))]
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map((task, index) => ({ ...task, swapped: isPair && index % 2 === 1 }));
}

/** A task's item as it is shown, its images under these names; by default their numbers from 1. */
export const showingOf = (
  { item, swapped }: Pick<LabelStudioTaskItem, "item" | "swapped">,
  {
    settings,
    names = item.images.map((_, index) => String(index + 1)),
  }: Pick<StudyBlock, "settings"> & { readonly names?: readonly string[] },
): Showing => ({
  item,
  settings,
  names,
  swapped,
  // Its choices name images by their places.
  drawn: (list) => list,
});

/** Turns a recorded answer into one to a showing whose names are numbers. */
export function givenFrom(
  recorded: JsonObject,
  { task, block }: { readonly task: LabelStudioTaskItem; readonly block: StudyBlock },
): JsonObject {
  const { protocol } = block.settings;
  // Exchanging sides twice changes nothing, and the places of images are their numbers.
  return protocol === "rubric"
    ? recorded
    : protocolOf(protocol).recorded(recorded, showingOf(task, block));
}

/** Name of the question for a note, which every block has. */
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
 * several are a `valueList` that Label Studio pages through.
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

// A line end within an attribute would be read as a space.
const escaped = (text: string): string =>
  xmlText(text)
    .replaceAll("\n", "&#10;")
    .replace(/\p{Cc}/gu, " ");
