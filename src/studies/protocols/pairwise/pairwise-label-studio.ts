import type { LabelStudioForm } from "../../label-studio/label-studio-form.js";

const sides: Readonly<Record<string, string>> = { a: "left", b: "right", left: "a", right: "b" };

/** Two sides; with a third answer, which the tag Pairwise doesn't have, they are choices. */
export const pairwiseForm: LabelStudioForm = {
  shown: [
    { name: "caption", kind: "text" },
    { name: "a", kind: "images" },
    { name: "b", kind: "images" },
  ],
  questions({ settings: { tie, question, why, caption } }) {
    const title =
      question ?? (caption ? "Which one shows the text better?" : "Which one do you prefer?");
    const third = tie === "tie" ? "Equally good" : "Undecided";
    const choices = [
      { value: "left", label: "Left" },
      { value: "right", label: "Right" },
      { value: tie, label: third },
    ];
    return [
      tie === "none"
        ? { name: "preferred", title, kind: "pairwise" }
        : { name: "preferred", title, kind: "choices", choices },
      ...(why ? [{ name: "why", title: "Why? (optional)", kind: "text" } as const] : []),
    ];
  },
  fields: ({ preferred, why }) => ({
    preferred: sides[String(preferred)] ?? String(preferred),
    ...(typeof why === "string" && why !== "" ? { why } : {}),
  }),
  given: ({ preferred, ...others }) => ({
    preferred: sides[String(preferred)] ?? String(preferred),
    ...others,
  }),
};
