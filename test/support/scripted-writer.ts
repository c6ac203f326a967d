/** What `build --writer` tells a chat model of one triplet. */
export interface WriterTask {
  readonly hypernym: string;
  readonly correctMember: string;
  readonly adversarialMember: string;
  readonly environment: string;
  readonly errorType: string;
  readonly extra: string;
  readonly right: string;
  readonly wrong: string;
}

/** The task in the texts of a request; undefined where it is about something else. */
export function writerTask(texts: readonly string[]): WriterTask | undefined {
  const line = texts.find((text) => text.includes('"adversarialMember"'))?.split("\n")[1];
  return line === undefined ? undefined : JSON.parse(line);
}

/** The problems of earlier triplets that a request shows. */
export const shownProblems = (texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    text.includes('{"problems"')
      ? JSON.parse(text.slice(text.indexOf('{"problems"'))).problems
      : [],
  );

/** The triplet that a model which keeps every rule writes, in words of its own. */
export function writtenTriplet(task: WriterTask, verb = "rests quietly") {
  const at = (value: string) =>
    task.errorType === "count"
      ? `with ${value}`
      : task.errorType === "layout_relation"
        ? value
        : `with a ${value}`;
  const sentence = (subject: string, value: string) =>
    `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${
      subject === "chopsticks" ? verb.replace(/s\b/, "") : verb
    } ${task.environment} ${at(value)}.`;
  return {
    text: sentence(task.hypernym, task.right),
    correct: sentence(task.correctMember, task.right),
    adversarial: sentence(task.adversarialMember, task.wrong),
  };
}
