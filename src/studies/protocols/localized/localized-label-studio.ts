import type { LabelStudioForm } from "../../label-studio/label-studio-form.js";

/** One image, one question, yes or no. */
export const localizedForm: LabelStudioForm = {
  shown: [
    { name: "question", kind: "text" },
    { name: "image", kind: "images" },
  ],
  questions: ({ settings }) => [
    {
      name: "value",
      title: settings.question,
      kind: "choices",
      choices: [
        { value: "yes", label: "Yes" },
        { value: "no", label: "No" },
        { value: "cannot-tell", label: "Can't tell" },
      ],
    },
  ],
  fields: ({ value }) => ({ value: String(value) }),
  given: (fields) => ({ ...fields }),
  unsaid: ({ settings, items, gold }) =>
    settings.view === "box" && [...items, ...gold].some(({ content }) => Array.isArray(content.box))
      ? "its boxes could be moved there (view: localized shows the entity alone)"
      : undefined,
};
