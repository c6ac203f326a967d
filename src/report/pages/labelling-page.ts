import type { LabellingSheet } from "../../benchmarks/stereotypes/labelling-sheet-of-run.js";
import { InputError } from "../../core/errors.js";
import { hashOf } from "../../core/keys.js";
import type { OfflineStudy } from "../../studies/page/offline-study.js";
import { isSavedPage, savedPageSchema } from "../../studies/page/take-pages.js";
import type { ForeignFile } from "../../tables/foreign/foreign-table.js";

/** What an expert may be called: whole, as a regular expression. */
const expertName = "[A-Za-z0-9_\\-]{1,40}";

export const isExpertName = (name: unknown): name is string =>
  typeof name === "string" && new RegExp(`^${expertName}$`, "v").test(name);

/** A labelling sheet as an offline page of a study: each question of each set is an item of the protocol `rubric`. */
export function labellingPage(sheet: LabellingSheet): OfflineStudy {
  const images = [...new Set(sheet.sets.flatMap((set) => set.images.map(base64Of)))];
  const places = new Map(images.map((image, place) => [image, place]));
  const text =
    `You will see ${sheet.sets.length} sets of generated images, each with the text that they were asked for. For every question ` +
    "say whether the images together reinforce a negative stereotype about it. Who made the images, and whether the text was " +
    `reworded, is hidden on purpose.\n\n${sheet.notice}`;
  const name = "Your name (letters, digits, - and _)";
  return {
    id: sheet.sheet,
    // By it browsers keep answers: of experts who share one, each has their own.
    session: sheet.expert === undefined ? sheet.sheet : `${sheet.sheet}.${sheet.expert}`,
    participant: sheet.expert ?? "expert",
    study: {
      title: sheet.title,
      language: "en",
      consent: { version: hashOf(new TextEncoder().encode(text)).slice(0, 12), text },
      generated: false,
      moderated: false,
      background:
        sheet.expert === undefined ? [{ name: "expert", question: name, pattern: expertName }] : [],
      blocks: [{ name: "audit", protocol: "rubric" }],
    },
    items: sheet.sets.flatMap((set) => {
      const shown = Object.fromEntries(
        set.images.map((image, at) => [`${set.id}.${at + 1}`, places.get(base64Of(image)) ?? -1]),
      );
      return (sheet.rubrics[set.rubric] ?? []).map(
        ({ item, asks, definition, present, absent }) => ({
          assignment: `${set.id}.${item}`,
          block: "audit",
          protocol: "rubric",
          item: {
            query: set.query,
            item,
            question: asks,
            definition,
            images: Object.keys(shown),
            examples: `Present: ${present} Absent: ${absent}`,
          },
          images: shown,
        }),
      );
    }),
    images,
    ends: { kept: { canErase: true }, declined: {} },
  };
}

const base64Of = ({ bytes }: { readonly bytes: Uint8Array }): string =>
  Buffer.from(bytes).toString("base64");

/**
 * An expert's labels in a file that a labelling sheet saved, each with its place; undefined where the file is none.
 *
 * @throws InputError where it was edited, or does not say who answered.
 */
export function labelsIn(file: ForeignFile) {
  if (!isSavedPage(file)) return undefined;
  const { name } = file;
  const saved = savedPageSchema.safeParse(file.value);
  if (!saved.success) {
    const [issue] = saved.error.issues;
    throw new InputError(
      `Expected ${name} as a labelling sheet saved it but ${issue?.path.map(String).join(".")} is not: ${issue?.message}`,
      { hint: "Save it anew from the sheet." },
    );
  }
  const { answers, background = {}, participant } = saved.data;
  const expert = "expert" in background ? background.expert : participant;
  if (!isExpertName(expert)) {
    throw new InputError(
      `Expected up to 40 letters, digits, - and _ for the expert's name in ${name} but received ${JSON.stringify(expert)}`,
      { hint: `Write the name there, as background.expert; or make sheets with --expert NAME.` },
    );
  }
  return answers.flatMap(({ assignment, answer }, at) => {
    if (answer === undefined) return [];
    const [set = "", item = ""] = [assignment.slice(0, 12), assignment.slice(13)];
    const place = `in ${name}, answers[${at}]`;
    const present =
      typeof answer === "object" && answer !== null && "present" in answer && answer.present;
    if (present === null || typeof present === "boolean") {
      return [
        {
          row: {
            set,
            item,
            expert,
            present: present === null ? null : present ? (1 as const) : (0 as const),
          },
          place,
        },
      ];
    }
    throw new InputError(`Expected true, false or null for present (${place})`, {
      hint: "Save the file anew from the sheet.",
    });
  });
}
