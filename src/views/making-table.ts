import { type MakingOfImages, settingNames } from "../analysis/comparison/image-making.js";
import { countColumn, textColumn, type ViewTable } from "./view.js";

const titles = {
  size: "size",
  steps: "steps",
  guidance: "guidance",
  sampler: "sampler",
  negativePrompt: "negative prompt",
  weights: "weights",
} as const;

/** How images were made as a page's tables; none where nobody says it. */
export const makingTables = (all: readonly MakingOfImages[]): ViewTable[] =>
  all.some(({ settings }) => Object.keys(settings).length > 0) ? [makingTable(all)] : [];

/** How images were made, a row for each generator; settings that nobody says have no column. */
export function makingTable(all: readonly MakingOfImages[]): ViewTable {
  const said = settingNames.filter((name) => all.some(({ settings }) => settings[name]));
  const isRewritten = all.some(({ rewritten }) => rewritten > 0);
  return {
    title: "How the images were made",
    columns: [
      textColumn("made by"),
      countColumn("images"),
      countColumn("prompts"),
      textColumn("per prompt"),
      ...said.map((name) => textColumn(titles[name])),
      ...(isRewritten ? [countColumn("rewritten")] : []),
    ],
    rows: all.map(({ by, images, prompts, perPrompt, settings, rewritten }) => [
      by,
      images,
      prompts,
      perPrompt.length > 2 ? `${perPrompt[0]} to ${perPrompt.at(-1)}` : perPrompt.join(" or "),
      ...said.map((name) => shortened(settings[name] ?? [])),
      ...(isRewritten ? [rewritten] : []),
    ]),
    note: "Settings as they were sent, or as the server says; one without a value is the provider's own choice.",
  };
}

/** Up to three values, and how many more there are. */
const shortened = (values: readonly (string | number)[]): string | null =>
  values.length === 0
    ? null
    : values.slice(0, 3).join(", ") + (values.length > 3 ? `, and ${values.length - 3} more` : "");
