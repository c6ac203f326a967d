/** What a source file asks for, and its code without comments and the insides of strings. */
export interface SourceImports {
  /** The names after `from`, `import "…"` and `import("…")`; null for a computed one. */
  readonly specifiers: readonly (string | null)[];
  readonly code: string;
}

/**
 * Reads the imports of a TypeScript source: static, dynamic, re-exports, and types. Strings,
 * templates, comments and regular expressions are told apart, so that an import in a docstring is
 * none and one inside a template is one.
 */
export function readImports(source: string): SourceImports {
  const { code, strings } = withoutLiterals(source);
  const literal = (pattern: RegExp) =>
    [...code.matchAll(pattern)].map((match) => strings[Number(match[1])] ?? null);
  const computed = (pattern: RegExp) => [...code.matchAll(pattern)].map(() => null);
  return {
    specifiers: [
      ...literal(/\bfrom\s*"#(\d+)"/g),
      ...literal(/\bimport\s*"#(\d+)"/g),
      ...literal(/\b(?:import|require)\s*\(\s*"#(\d+)"\s*[,)]/g),
      ...computed(/\b(?:import|require)\s*\((?!\s*"#\d+"\s*[,)])/g),
      ...computed(/\bcreateRequire\s*\(/g),
    ],
    code,
  };
}

const beforeRegex = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|await|void))\s*$/;

/** Every string becomes "#n", n its place in `strings`; comments and regular expressions vanish. */
function withoutLiterals(source: string): { code: string; strings: string[] } {
  const strings: string[] = [];
  let code = "";
  let index = 0;
  /** For each template that is open: how many braces are open inside its current expression. */
  const templates: number[] = [];

  const upTo = (pattern: RegExp) => {
    pattern.lastIndex = index;
    const end = pattern.exec(source) === null ? source.length : pattern.lastIndex;
    const text = source.slice(index, end);
    index = end;
    return text;
  };
  const keep = (text: string) => {
    code += `"#${strings.push(text) - 1}"`;
  };
  /** From inside a template to its end or to the next expression. */
  const readTemplate = (isWhole: boolean) => {
    const text = upTo(/(?<!\\)(?:\\\\)*(?:`|\$\{)/g);
    if (text.endsWith("`")) {
      if (isWhole) keep(text.slice(0, -1));
    } else {
      templates.push(0);
      code += "(";
    }
  };

  while (index < source.length) {
    const before = index;
    const rest = source.slice(index, index + 2);
    const character = rest.charAt(0);
    if (rest === "//") upTo(/(?=\n)/g);
    else if (rest === "/*") upTo(/\*\//g);
    else if (character === '"' || character === "'") {
      index++;
      const text = upTo(character === '"' ? /(?<!\\)(?:\\\\)*"/g : /(?<!\\)(?:\\\\)*'/g);
      keep(text.slice(0, -1));
    } else if (character === "`") {
      index++;
      readTemplate(true);
    } else if (character === "/" && beforeRegex.test(code.slice(-20))) {
      upTo(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|/y);
      index += index === before ? 1 : 0;
    } else {
      const open = templates.at(-1);
      index++;
      if (open === 0 && character === "}") {
        templates.pop();
        code += ")";
        readTemplate(false);
        continue;
      }
      if (open !== undefined && character === "{") templates[templates.length - 1] = open + 1;
      if (open !== undefined && character === "}") templates[templates.length - 1] = open - 1;
      code += character;
    }
  }
  return { code, strings };
}
