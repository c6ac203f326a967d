import type { BlockSettings } from "../config/study-config.js";
import type { LabelStudioForm } from "../label-studio/label-studio-form.js";

/** Levels with words are choices; levels without, from 1 up, are stars. */
export const levelsForm = (
  question: string,
  valuesOf: (settings: BlockSettings) => readonly number[],
): LabelStudioForm => ({
  shown: [
    { name: "text", kind: "text" },
    { name: "image", kind: "images" },
  ],
  questions({ settings }) {
    const values = valuesOf(settings);
    const asked = { name: "value", title: settings.question ?? question };
    const isStars =
      settings.levels === undefined && values.every((value, index) => value === index + 1);
    if (isStars) return [{ ...asked, kind: "rating", most: values.length }];
    const label = (value: number) =>
      settings.levels?.find((level) => level.value === value)?.label ?? String(value);
    const choices = values.map((value) => ({ value: String(value), label: label(value) }));
    return [{ ...asked, kind: "choices", choices }];
  },
  fields: ({ value }) => ({ value: String(value) }),
  given: ({ value, ...others }) => ({ value: Number(value), ...others }),
});
