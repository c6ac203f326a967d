/** A fenced block of commands in a document. */
export interface CommandBlock {
  /** The line of its first command, from 1. */
  readonly line: number;
  readonly script: string;
  /** Why it is not run: what the comment `<!-- not run: … -->` above it says. */
  readonly notRun: string | undefined;
}

/** The blocks of `sh` in a Markdown document, in order. */
export function commandBlocks(markdown: string): CommandBlock[] {
  return [
    ...markdown.matchAll(/(?:^<!-- not run: (?<reason>.+?) -->\n)?^```sh\n(?<script>.*?)^```$/gms),
  ].map(({ index, 0: whole, groups = {} }) => ({
    line: markdown.slice(0, index + whole.indexOf("```sh")).split("\n").length + 1,
    script: groups.script ?? "",
    notRun: groups.reason,
  }));
}
