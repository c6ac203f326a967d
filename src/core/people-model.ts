/** Name of people where they stand beside metrics. */
export const peopleName = "people";

/** The model of scores that people gave in a study. @example peopleModel("0123abcd") // "people:0123abcd" */
export const peopleModel = (study: string): string => `${peopleName}:${study}`;

/** Tells whether people gave a score. They rate a sample: what they were not shown is not unscored. */
export const isByPeople = ({ model }: { readonly model: string }): boolean =>
  model.startsWith(`${peopleName}:`);

/** Stands for a localiser that chose what people were shown, where nobody noted which it was. */
export const unknownLocalizer = "unknown";
