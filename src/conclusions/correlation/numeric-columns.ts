import { InputError } from "../../core/errors.js";
import type { FoundColumn } from "../../tables/shapes.js";

/**
 * Names of the columns that hold numbers.
 *
 * @param rows how many the table has.
 * @throws InputError for a column that has numbers in some rows and something else in others, or in most rows
 *   numbers in another form, such as 71.2 %.
 */
export const numericColumns = (
  found: readonly FoundColumn[],
  { rows, table }: { readonly rows: number; readonly table: string },
): string[] =>
  found.flatMap(({ name, count, odd, dressed }) => {
    if (count === 0 && dressed.count > rows / 2) {
      throw new InputError(
        `Expected numbers or nothing for ${name} but received ${dressed.first} (in ${table})`,
        {
          hint:
            "Write plain numbers, such as 71.2 or 0.712; or leave the column out by naming the metrics to use " +
            "(--metrics a,b)",
        },
      );
    }
    if (count > 0 && odd !== undefined) {
      throw new InputError(
        `Expected numbers or nothing for ${name} but received ${odd} (in ${table})`,
        {
          hint:
            "Correct it, name the value that means no answer (--unscored none), or name the " +
            "metrics to use (--metrics a,b)",
        },
      );
    }
    return count > 0 ? [name] : [];
  });

/** Columns about a rating or an image, by names that hold no score. */
const aboutOthers =
  /^(?:n|num|number|no|count)[-_. ]?(?:of[-_. ])?(?:raters?|ratings?|votes?|annotators?|annotations?|workers?|labels?|images?)$|^(?:seed|width|height|steps?|cfg|guidance(?:[-_. ]?scale)?|times?|timestamps?|created(?:[-_. ]?at)?|dates?)$|[-_. ](?:seed|width|height|timestamp)$/i;

/** Behind a rating's name: what is said of it beside its value. */
const ofRating =
  /^[-_. ]?(?:std|stdev|std[-_. ]?dev|sd|sem|se|stderr|var|variance|n|count|num|min|max|low|high|lower|upper|ci[-_. ]?(?:low|high|lower|upper)?|raters?|votes?)$/i;

/**
 * Whether a column of numbers is none of a metric's by its name: about people's ratings (rating_std, n_raters) or how an
 * image was made (seed, width).
 */
export const isNoMetric = (name: string, people: readonly string[]): boolean =>
  aboutOthers.test(name) ||
  people.some((rating) => name.startsWith(rating) && ofRating.test(name.slice(rating.length)));
