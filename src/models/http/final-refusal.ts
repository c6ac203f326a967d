/**
 * What a provider says that no other attempt at a call changes: the account has no credit, the key is not
 * let in, there is no such model (any more), or the content is declined.
 */
export type FinalRefusal = "credit" | "key" | "model" | "content";

const key = "(api|access|auth)[\\s_-]?(key|token)";
const wrong = "(?:not[\\s_-]?valid|invalid|incorrect|expired|revoked|disabled|missing|not found)";
const signs: readonly (readonly [FinalRefusal, words: RegExp])[] = [
  [
    "content",
    /content.?(filter|policy|management)|moderat|safety|flagged|harmful|nsfw|guardrail|inappropriate content|data.?inspection|content exists risk|(as|is) sensitive|new_sensitive|sensitive.?(content|information|words)|usage.(guideline|polic)|敏感|审核|responsible.?ai|prohibited.?content|recitation/i,
  ],
  [
    "credit",
    /insufficient[\s_-]?(quota|balance|credits?|funds)|billing[\s_-]?(hard[\s_-]?limit|not[\s_-]?active)|credit balance|(not|without) enough (credits?|balance|funds)|out of credits?|payment required|(purchase|more|add) (more )?credits|account .*(overdue|arrear|past due)|arrearage|budget (has been )?exceeded|exceeded.?budget|over budget|free.?tier.{0,40}(exhausted|only)|\blimit: 0\b|欠费|余额不足/i,
  ],
  [
    "key",
    new RegExp(
      `${key}.*(?:\\b|_)${wrong}|${wrong}[\\s_-]?${key}|(?:authentication|login)[\\s_-]?(?:error|fail)`,
      "i",
    ),
  ],
  [
    "model",
    /model[\s_-]?(not[\s_-]?found|decommissioned|deprecated|retired)|\bmodel\W+(\S+\s+){0,2}?((is|was|has been) )?(not found|does ?n[o']t exist|not exist|decommissioned|discontinued|removed|retired|no longer (available|supported))|no such model|unknown model|invalid model name|not a valid model/i,
  ],
];

/**
 * @param code the provider's name of the error
 * @returns `undefined` where it may be otherwise another time
 * @example finalRefusal({ code: "insufficient_quota", message: "You exceeded …" }) // "credit"
 */
export function finalRefusal({
  code = "",
  message,
}: {
  readonly code?: string | undefined;
  readonly message: string;
}): FinalRefusal | undefined {
  return signs.find(([, words]) => words.test(code) || words.test(message))?.[0];
}
