import { InputError } from "../../../core/errors.js";
import { type Command, command, type Verb } from "../../command-line/command.js";
import { bashScript } from "./bash-script.js";
import { completionPlaces } from "./completion-places.js";
import { fishScript } from "./fish-script.js";
import { zshScript } from "./zsh-script.js";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

const isShell = (name: string): name is keyof typeof scripts => Object.hasOwn(scripts, name);

/** The verb that prints a shell's completion of all `verbs`, made from their declarations. */
export const completionOf = (verbs: () => readonly Verb[]): Command =>
  command({
    description:
      "Prints a script by which a shell completes verbs, flags and their values with the Tab key. " +
      "bash: put it into ~/.local/share/bash-completion/completions/touchstone. zsh: into a file " +
      "_touchstone in a folder of $fpath. fish: into ~/.config/fish/completions/touchstone.fish.",
    examples: [
      "touchstone completion bash > touchstone.bash",
      "touchstone completion fish > touchstone.fish",
    ],
    arguments: { shell: { kind: "positional", description: "bash, zsh or fish" } },
    async run({ given: { shell }, output }) {
      if (!isShell(shell)) {
        throw new InputError(
          `Expected one of ${Object.keys(scripts).join(", ")} for SHELL but received "${shell}"`,
        );
      }
      const script = scripts[shell](await completionPlaces(verbs()));
      output.resultJson({ shell, script });
      if (!output.json) output.data(script);
    },
  });
