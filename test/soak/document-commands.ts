import { parse } from "yaml";

/** A fenced block of commands in a document, and what the comments right above it say. */
export interface CommandBlock {
  /** The line of its first command, from 1. */
  readonly line: number;
  readonly script: string;
  /** `<!-- not run: … -->`: why. */
  readonly notRun: string | undefined;
  /** `<!-- run by: … -->`: the test that takes these commands from the document and runs them. */
  readonly runBy: string | undefined;
  /** `<!-- needs: …, … -->`: what has to be there; see document-needs.ts. */
  readonly needs: readonly string[];
  /** `<!-- with: … => …; … => … -->`: words that are run as others, so that it takes seconds. */
  readonly changes: readonly (readonly [from: string, to: string])[];
  /** `<!-- until: … -->`: each line runs until it is stopped, and is at work once it says this. */
  readonly until: string | undefined;
  /** Lines of the block of `text` right below, which it prints in this order. */
  readonly prints: readonly string[];
}

/** Commands and what they print, listed beside a document, as blocks of Markdown. */
export const listedBlocks = (yaml: string): string =>
  (parse(yaml) as { command: string; prints: string[] }[])
    .map(
      ({ command, prints }) =>
        `<!-- needs: published tables -->\n\`\`\`sh\n${command}\`\`\`\n\n\`\`\`text\n${prints.join("\n")}\n\`\`\`\n`,
    )
    .join("\n");

/** The blocks of `sh` in a Markdown document, in order. */
export function commandBlocks(markdown: string): CommandBlock[] {
  const blocks =
    /(?<comments>(?:^<!-- .+? -->\n)*)^```sh\n(?<script>[\s\S]*?)^```$(?:\n\n^```text\n(?<shown>[\s\S]*?)\n```$)?/gm;
  return [...markdown.matchAll(blocks)].map(({ index, 0: whole, groups = {} }) => {
    const { comments = "", script = "", shown } = groups;
    const said = (key: string) => comments.match(new RegExp(`^<!-- ${key}: (.+) -->$`, "m"))?.[1];
    return {
      line: markdown.slice(0, index + whole.indexOf("```sh")).split("\n").length + 1,
      script,
      notRun: said("not run"),
      runBy: said("run by"),
      needs: said("needs")?.split(", ") ?? [],
      changes: (said("with")?.split("; ") ?? []).map((change) => {
        const [from = "", to = ""] = change.split(" => ");
        return [from, to] as const;
      }),
      until: said("until"),
      prints: shown?.split("\n") ?? [],
    };
  });
}
