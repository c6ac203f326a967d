import {
  groupLabels,
  type Knob,
  knobs,
  loadTaxonomy,
  type Member,
  type Taxonomy,
} from "./taxonomy.js";
import {
  capitalised,
  knobValues,
  loadTemplates,
  type Templates,
  wrongValues,
} from "./templates.js";
import type { Triplet, TripletRequest } from "./triplet.js";

/** One rule of the paper's tables 3 to 5 that a program can check. */
export interface TripletRule {
  readonly name: string;
  /** Says what is wrong with the triplet; undefined where nothing is, or the rule does not concern it. */
  broken(triplet: Triplet, request: TripletRequest): string | undefined;
}

/** A rule that a triplet breaks, and how. */
export interface BrokenRule {
  readonly rule: string;
  readonly message: string;
}

/** Every rule that `triplet` breaks, in the rules' order. */
export function brokenRules(
  rules: readonly TripletRule[],
  triplet: Triplet,
  request: TripletRequest,
): BrokenRule[] {
  return rules.flatMap(({ name, broken }) => {
    const message = broken(triplet, request);
    return message === undefined ? [] : [{ rule: name, message }];
  });
}

/** All rules, those of the wording first. */
export function tripletRules({
  taxonomy = loadTaxonomy(),
  templates = loadTemplates(),
}: {
  taxonomy?: Taxonomy;
  templates?: Templates;
} = {}): TripletRule[] {
  return [
    ...wordingRules(templates),
    ...neutralityRules(groupLabels(taxonomy)),
    ...copyRules(templates),
    ...knobRules(templates),
  ];
}

const inEach =
  (check: (sentence: string, request: TripletRequest) => string | undefined) =>
  (triplet: Triplet, request: TripletRequest): string | undefined => {
    for (const [role, sentence] of Object.entries(triplet)) {
      const message = check(sentence, request);
      if (message !== undefined) return `${role} ${message}: "${sentence}"`;
    }
    return undefined;
  };

function wordingRules({ mostWords, forbidden, extras }: Templates): TripletRule[] {
  return [
    {
      name: "one-sentence",
      broken: inEach((sentence) =>
        /^[^.!?\n]+\.$/.test(sentence) ? undefined : "is not one sentence with one full stop",
      ),
    },
    {
      name: "at-most-thirty-words",
      broken: inEach((sentence) => {
        const words = sentence.trim().split(/\s+/).length;
        return words <= mostWords ? undefined : `has ${words} words, not at most ${mostWords}`;
      }),
    },
    {
      name: "same-extra",
      broken: inEach((sentence, { extra }) => {
        const nouns = [extra, extras[extra]?.plural ?? extra];
        return firstMentioned(sentence, nouns) ? undefined : `does not name the extra "${extra}"`;
      }),
    },
    {
      name: "environment-kept",
      broken: inEach((sentence, { environment }) =>
        firstMentioned(sentence, [environment]) ? undefined : `is not set "${environment}"`,
      ),
    },
    ...Object.entries(forbidden).map(([name, { in: where, words }]) => ({
      name,
      broken: inEach((sentence, request) => {
        const { domain, category, attribute } = request;
        const kind = attribute === undefined ? "things" : "people";
        if (![domain, category, kind].some((name) => where.includes(name))) return undefined;
        const found = firstMentioned(withoutMembers(sentence, request), words);
        return found === undefined ? undefined : `holds "${found}"`;
      }),
    })),
  ];
}

/** The sentence without the names that the request gave: a honey dipper is no food. */
function withoutMembers(
  sentence: string,
  { hypernym, nonPrototype, prototype }: TripletRequest,
): string {
  return [hypernym, nonPrototype, prototype].reduce(
    (rest, { phrase }) => rest.replaceAll(capitalised(phrase), "").replaceAll(phrase, ""),
    sentence,
  );
}

function neutralityRules(labels: readonly string[]): TripletRule[] {
  return [
    {
      name: "text-opens-with-hypernym",
      broken: ({ text }, { hypernym }) => {
        const opening = capitalised(hypernym.phrase);
        return text.startsWith(`${opening} `)
          ? undefined
          : `text does not open with "${opening}": "${text}"`;
      },
    },
    {
      name: "one-subject",
      broken: ({ text }, { hypernym }) => {
        const times = timesMentioned(text, hypernym.name);
        return times === 1 ? undefined : `text names "${hypernym.name}" ${times} times: "${text}"`;
      },
    },
    {
      name: "text-names-no-member",
      broken: ({ text }, { attribute, nonPrototype, prototype }) => {
        if (attribute !== undefined) return undefined;
        const found = firstMentioned(text, [nonPrototype.name, prototype.name]);
        return found === undefined ? undefined : `text names "${found}": "${text}"`;
      },
    },
    {
      name: "no-group-labels",
      broken: ({ text }, { attribute }) => {
        if (attribute === undefined) return undefined;
        const found = firstMentioned(text, labels);
        return found === undefined ? undefined : `text gives "${found}" away: "${text}"`;
      },
    },
  ];
}

function copyRules(templates: Templates): TripletRule[] {
  const frames = (sentence: string, request: TripletRequest) =>
    readKnob(sentence, request, templates).map(({ frame }) => frame);
  const renamed = ({ text }: Triplet, { hypernym }: TripletRequest, member: Member) =>
    renamedSubject(text, hypernym, member);
  const copiesWhole = (
    role: "correct" | "controlCorrect",
    member: "nonPrototype" | "prototype",
  ): TripletRule["broken"] => {
    return (triplet, request) => {
      const expected = renamed(triplet, request, request[member]);
      return triplet[role] === expected
        ? undefined
        : `${role} is "${triplet[role]}", not "${expected}"`;
    };
  };
  const copiesFrame = (
    role: "adversarial" | "controlAdversarial",
    member: "nonPrototype" | "prototype",
  ): TripletRule["broken"] => {
    return (triplet, request) => {
      const expected = renamed(triplet, request, request[member]);
      const [frame] = frames(triplet[role], request);
      return frame !== undefined && frames(expected, request).includes(frame)
        ? undefined
        : `${role} is "${triplet[role]}", not "${expected}" with the knob alone changed`;
    };
  };
  return [
    { name: "correct-copies-text", broken: copiesWhole("correct", "nonPrototype") },
    { name: "adversarial-changes-knob-only", broken: copiesFrame("adversarial", "prototype") },
    { name: "control-correct-copies-text", broken: copiesWhole("controlCorrect", "prototype") },
    {
      name: "control-adversarial-changes-knob-only",
      broken: copiesFrame("controlAdversarial", "nonPrototype"),
    },
  ];
}

/** Words next to which something other than the subject is named. */
const namingWords = (
  "a an the its some and with exactly one two three four beside near by behind under above over of " +
  "at in on"
).split(" ");

const articles = ["a", "an", "the", "its", "some", "one", "two", "three", "four"];

/** Words that can follow a thing without making another of it, as "tree stump" does of "tree". */
const followingWords = new Set(
  (
    "a an the its and or but while as that which who with without in on at by near beside behind under " +
    "above over of to from beneath below around along between against across before after nearby there " +
    "alone together is are was were stands stand lies lie rests rest sits sit"
  ).split(" "),
);
const mayFollow = (word: string): boolean =>
  followingWords.has(word.toLowerCase()) || /(?:ing|ly|ed)$/i.test(word);

const rightRoles = ["text", "correct", "controlCorrect"] as const;
const wrongRoles = ["adversarial", "controlAdversarial"] as const;

function knobRules(templates: Templates): TripletRule[] {
  const values = (sentence: string, request: TripletRequest) =>
    readKnob(sentence, request, templates).map(({ value }) => value);

  const states =
    (roles: readonly (keyof Triplet)[], side: "right" | "wrong"): TripletRule["broken"] =>
    (triplet, request) => {
      for (const role of roles) {
        const stated = values(triplet[role], request);
        if (stated.length !== 1 || stated[0] !== request[side]) {
          const found =
            stated.length === 0 ? "no value" : stated.map((one) => `"${one}"`).join(", ");
          return `${role} states ${found} for ${request.knob}, not "${request[side]}" once`;
        }
      }
      return undefined;
    };

  const changes =
    (knob: Knob): TripletRule["broken"] =>
    (triplet, request) => {
      if (request.knob !== knob) return undefined;
      const [right] = values(triplet.text, request);
      const allowed = right === undefined ? [] : wrongValues(templates, knob, request.extra, right);
      for (const role of wrongRoles) {
        const [wrong] = values(triplet[role], request);
        if (wrong === undefined || !allowed.includes(wrong)) {
          return `${role} goes from "${right}" to "${wrong}", not to one of ${allowed.join(", ")}`;
        }
      }
      return undefined;
    };

  const named = Object.entries(templates.extras).flatMap(([extra, { plural }]) => [extra, plural]);

  const ofSubject: TripletRule["broken"] = inEach((sentence, request) => {
    if (templates.knobs[request.knob].of !== "subject") return undefined;
    const [reading] = readKnob(sentence, request, templates);
    if (reading === undefined) return undefined;
    const between = withoutMembers(reading.before, request).replace(request.environment, "");
    const other = firstMentioned(between, [...namingWords, ...named]);
    return other === undefined
      ? undefined
      : `says the ${request.knob} of something else than the subject, after "${other}"`;
  });

  const ofExtra: TripletRule["broken"] = inEach((sentence, request) => {
    const [reading] = readKnob(sentence, request, templates);
    if (reading === undefined) return undefined;
    const { of, states } = templates.knobs[request.knob];
    const next = /^[ -]+([\p{L}'-]+)/u.exec(reading.after)?.[1];
    if (/\{extras?\}$/.test(states) && next !== undefined && !mayFollow(next)) {
      return `says the ${request.knob} of a "${request.extra} ${next}", not of the extra`;
    }
    if (of !== "extra") return undefined;
    const before = withoutMembers(reading.before, request)
      .replace(request.environment, "")
      .replace(/\b(?:an?|the|one|its) (?!.*\b(?:an?|the|its|on|in|of|with|near|by) ).*$/isu, "");
    const other = firstMentioned(before, [...articles, ...named]);
    return other === undefined
      ? undefined
      : `may say the ${request.knob} of something else than the extra, after "${other}"`;
  });

  return [
    { name: "knob-of-subject", broken: ofSubject },
    { name: "knob-of-extra", broken: ofExtra },
    { name: "knob-stated-once", broken: states(rightRoles, "right") },
    { name: "wrong-value-as-asked", broken: states(wrongRoles, "wrong") },
    {
      name: "count-exact",
      broken: (triplet, { knob, ...request }) =>
        knob === "count"
          ? inEach((sentence) =>
              firstMentioned(sentence, ["exactly"]) ? undefined : 'lacks "exactly"',
            )(triplet, { knob, ...request })
          : undefined,
    },
    ...knobs.map((knob) => ({ name: templates.knobs[knob].rule, broken: changes(knob) })),
  ];
}

/** A sentence with `to` as its subject in place of `from`; as it is where it does not open with that. */
export function renamedSubject(sentence: string, from: Member, to: Member): string {
  const opening = capitalised(from.phrase);
  if (!sentence.startsWith(opening)) return sentence;
  const rest = sentence.slice(opening.length);
  const verb = from.plural !== true && to.plural === true ? withPluralVerb(rest) : rest;
  return `${capitalised(to.phrase)}${verb}`;
}

/** " is in a park" -> " are in a park": what follows a subject, as it follows a plural. */
const withPluralVerb = (rest: string): string =>
  rest.replace(
    /^ (\S+)/,
    (_, verb: string) => ` ${irregularPlurals[verb] ?? verb.replace(/s$/, "")}`,
  );

const irregularPlurals: Readonly<Record<string, string>> = { is: "are", was: "were", has: "have" };

/** Where a sentence states the knob: the value, and the sentence with that place left open. */
interface KnobReading {
  readonly value: string;
  /** The words that state it, and the sentence before and after them. */
  readonly stated: string;
  readonly before: string;
  readonly after: string;
  readonly frame: string;
}

/** Every place at which `sentence` states the knob about the extra object, in the right number. */
export function readKnob(
  sentence: string,
  { knob, extra }: Pick<TripletRequest, "knob" | "extra">,
  templates: Templates,
): KnobReading[] {
  const plural = templates.extras[extra]?.plural ?? extra;
  const values = knobValues(templates, knob, extra).map(escaped).join("|");
  const pattern = escaped(templates.knobs[knob].states)
    .replace("\\{value\\}", `(?<value>${values})`)
    .replace("\\{extras\\}", `(?<noun>${escaped(plural)}|${escaped(extra)})`)
    .replace("a \\{extra\\}", "an? \\{extra\\}")
    .replace("\\{extra\\}", escaped(extra));
  return [...sentence.matchAll(wholeWords(pattern))].flatMap(({ 0: found, index, groups }) => {
    const value = groups?.value?.toLowerCase() ?? "";
    const noun = groups?.noun?.toLowerCase();
    if (noun !== undefined && noun !== (value === "one" ? extra : plural)) return [];
    const before = sentence.slice(0, index);
    const after = sentence.slice(index + found.length);
    // The article goes with the value: "a red ball", "an orange ball".
    const frame = `${before.replace(/\b(a)n $/i, "$1 ")}…${after}`;
    return [{ value, stated: found, before, after, frame }];
  });
}

/** The first of `words` (or phrases) that `text` holds as whole words, in whatever case. */
const firstMentioned = (text: string, words: readonly string[]): string | undefined =>
  text.match(wholeWords(words.map(escaped).join("|")))?.[0];

/** How often `text` holds `words` as whole words, in whatever case. */
const timesMentioned = (text: string, words: string): number =>
  [...text.matchAll(wholeWords(escaped(words)))].length;

const compiled = new Map<string, RegExp>();

function wholeWords(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  // \b would see no edge after the "+" of "LGBTQ+".
  const made = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu");
  compiled.set(pattern, made);
  return made;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
