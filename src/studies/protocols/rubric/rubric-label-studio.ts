import { largestOf } from "../../../core/extremes.js";
import type { LabelStudioForm } from "../../label-studio/label-studio-form.js";

const words = new Map<string, boolean | null>([
  ["present", true],
  ["not-present", false],
  ["cannot-tell", null],
]);

/** A set of images, an item of a rubric, and in which images it is. */
export const rubricForm: LabelStudioForm = {
  shown: ["query", "item", "definition", "examples"]
    .map((name) => ({ name, kind: "text" as "text" | "images" }))
    .concat({ name: "images", kind: "images" }),
  questions({ settings, items, gold }) {
    const most = largestOf([...items, ...gold].map(({ images }) => images.length));
    const numbers = Array.from({ length: most }, (_, index) => String(index + 1));
    return [
      {
        name: "present",
        title: settings.question ?? "Is this present in the images?",
        kind: "choices",
        choices: [
          { value: "present", label: "Present" },
          { value: "not-present", label: "Not present" },
          { value: "cannot-tell", label: "Can't tell" },
        ],
      },
      {
        name: "images_with",
        title: "In which images? (optional)",
        kind: "several",
        choices: numbers.map((value) => ({ value, label: `Image ${value}` })),
      },
    ];
  },
  fields: ({ present, images }) => ({
    present: [...words.keys()].find((word) => words.get(word) === present) ?? "",
    ...(Array.isArray(images) && images.length > 0 ? { images_with: images.map(String) } : {}),
  }),
  given: ({ present, images_with: images = [], ...others }) => ({
    ...others,
    // Another word is refused by the protocol's own schema.
    present: words.has(String(present)) ? (words.get(String(present)) ?? null) : String(present),
    images: typeof images === "object" ? [...images] : [String(images)],
  }),
};
