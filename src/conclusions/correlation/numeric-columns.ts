import { InputError } from "../../core/errors.js";
import { shellWord } from "../../core/shell-word.js";
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
          hint: `Correct it, ${noAnswerHint(odd)}or name the metrics to use (--metrics a,b)`,
        },
      );
    }
    return count > 0 ? [name] : [];
  });

/** Names the flag by which a short word means no answer; nothing for another cell. */
function noAnswerHint(odd: string): string {
  const [, word] = /^"([^",]{1,30})" in /.exec(odd) ?? [];
  return word === undefined ? "" : `say that it means no answer (--unscored ${shellWord(word)}), `;
}

/** Columns about a rating, an image or how it was made, by names that hold no score. */
const aboutOthers = [
  /^(?:(?:image|img|picture|prompt|item|pair|sample|row)[-_. ]?)?(?:#|no\.?|nr\.?|number|idx|index|row)$/i,
  /^(?:n|num|number|no|count)[-_. ]?(?:of[-_. ])?(?:raters?|ratings?|votes?|annotators?|annotations?|workers?|labels?|images?|samples?|tokens?|(?:inference[-_. ])?steps?)$/i,
  /(?:^|[-_. ])(?:seed|width|height|timestamp|latency|duration|runtime|elapsed|bytes|file[-_. ]?size)$/i,
  /^(?:(?:inference[-_. ])?steps?|cfg|(?:cfg|guidance)(?:[-_. ]?scale)?|times?|timestamps?|created(?:[-_. ]?at)?|dates?|year|month|day|hour|epoch|batch(?:[-_. ]?size)?|fold|tokens?|(?:prompt|completion|total)[-_. ]tokens|costs?|price|age|rank(?:ing)?|order|iteration|round|trial|session|attempt)$/i,
  /[-_. ](?:ms|secs?|seconds|minutes|usd|dollars|[kmg]b|px|pixels)$/i,
];

/** Behind a rating's name, or before it: what is said of it beside its value. */
const ofRating =
  /^[-_. ]?(?:std|stdev|std[-_. ]?dev|sd|sem|se|stderr|var|variance|n|count|num|min|max|low|high|lower|upper|ci[-_. ]?(?:low|high|lower|upper)?|raters?|votes?|mean|avg|average|median|mode|sum|total|raw|norm(?:alized|alised)?|scaled|z)[-_. ]?$/i;

/**
 * Whether a column of numbers is none of a metric's by its name: a row's number (#), about people's ratings (rating_std,
 * n_raters) or how an image was made (seed, width).
 */
export const isNoMetric = (name: string, people: readonly string[]): boolean =>
  aboutOthers.some((about) => about.test(name)) ||
  people.some(
    (rating) =>
      (name.startsWith(rating) && ofRating.test(name.slice(rating.length))) ||
      (name.endsWith(rating) && ofRating.test(name.slice(0, -rating.length))),
  );
