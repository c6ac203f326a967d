/**
 * Usual names of a column of ids: id, image_id, imageId, uid; or of a data frame's index: none (which a
 * CSV's reader calls "column 1"), and pandas' own.
 */
const identifiers = [
  /(^|[-_. ])u?u?id$/i,
  /[a-z]I[dD]$/,
  /^(unnamed: ?0(\.\d+)?|column 1|index|level_0|__index_level_\d+__)?$/i,
];

/** Whether a column of this name holds names of things, even where they are numbers. */
export const isIdentifier = (name: string) => identifiers.some((each) => each.test(name.trim()));

const people =
  "human|rater|annotator|worker|expert|participant|coder|labell?er|crowd(?:worker)?|(?:human|rater|annotator|worker|expert)[-_. ]?(?:score|rating|label|annotation|judge?ment)";
const summary = "avg|average|mean|median|majority";
const raterName = new RegExp(`^(?:${people})s?(?:[-_. ]?(?:\\d+|[a-z]|${summary}))?$`, "i");
const numbered = new RegExp(`^(.*[^-_. \\d].*?)[-_. ]?(\\d+|${summary})$`, "i");

const persons = [
  /^(?:annotator|rater|worker|participant|respondent|coder)(?:[-_. ]?(?:id|name))?$/i,
  /^(?:response|submission|user|subject|prolific)[-_. ]?(?:p?id|name)$/i,
  /^e-?mail(?:[-_. ]address)?$/i,
];

/** Whether a column of this name says who answered. */
export const isPerson = (name: string) => persons.some((each) => each.test(name.trim()));

/** A numbered column's name without its number: "rating" of rating_2. */
const stemOf = (name: string) => numbered.exec(name)?.[1]?.toLowerCase();

/**
 * The columns that hold what single raters said, by their names: rater_2, annotatorB, human_avg; or a
 * name that differs by its number alone from the column of people's ratings: r2 beside r1, rating_1
 * beside rating or rating_mean. Metrics have names of their own.
 *
 * @example raterColumns(["r2", "clip", "human_preference_score"], ["r1"]) // ["r2"]
 */
export function raterColumns(names: readonly string[], given: readonly string[]): string[] {
  const stems = new Set(given.flatMap((name) => [name.toLowerCase(), stemOf(name) ?? []].flat()));
  return names.filter((name) => {
    const stem = stemOf(name);
    return raterName.test(name) || (stem !== undefined && stems.has(stem));
  });
}
