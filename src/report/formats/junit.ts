import { xmlText } from "../../core/xml-text.js";
import { evidenceText, isValued, nameWithin, subjectsOf, type WriteResult } from "./format.js";

/**
 * junit.xml, as continuous integrations read it: a suite for each model, a test for each thing that was demanded;
 * where nothing was, one for each figure. What is open or unscored is skipped, with its reason.
 */
export const junit: WriteResult = (result, source) => {
  const suites = subjectsOf(result, source).map(({ name, checks, figures }) => {
    const asked = checks.map(({ name: check, of, state, message }) => ({
      test: nameWithin({ name: check, of }, name),
      state,
      message,
    }));
    const found = figures.map((figure) => ({
      test: nameWithin(figure, name),
      state: isValued(figure) ? "passed" : "open",
      message: isValued(figure)
        ? `${figure.value} ${evidenceText(figure)}`.trim()
        : (figure.reason ?? "undefined"),
    }));
    return { name, tests: result.checks.length > 0 ? asked : found };
  });
  const all = suites.flatMap(({ tests }) => tests);
  return {
    files: [
      {
        path: "junit.xml",
        content: [
          '<?xml version="1.0" encoding="UTF-8"?>',
          `<testsuites name="${xmlText(source.data)}" ${counts(all)}>`,
          ...suites.flatMap(({ name, tests }) =>
            tests.length === 0
              ? []
              : [
                  `  <testsuite name="${xmlText(name)}" ${counts(tests)} timestamp="${source.at.toISOString().slice(0, 19)}">`,
                  ...tests.map((one) => testOf(one, name)),
                  "  </testsuite>",
                ],
          ),
          "</testsuites>",
          "",
        ].join("\n"),
      },
    ],
    notes:
      result.checks.length > 0
        ? []
        : ["Nothing was demanded of this result, so each figure is a test that passed."],
  };
};

interface Test {
  readonly test: string;
  readonly state: string;
  readonly message: string;
}

function counts(tests: readonly Test[]): string {
  const of = (state: string) => tests.filter((one) => one.state === state).length;
  return `tests="${tests.length}" failures="${of("failed")}" errors="0" skipped="${of("open")}"`;
}

function testOf({ test, state, message }: Test, suite: string): string {
  const text = xmlText(message);
  const inner =
    state === "failed"
      ? `<failure message="${text}">${text}</failure>`
      : state === "open"
        ? `<skipped message="${text}"/>`
        : `<system-out>${text}</system-out>`;
  return `    <testcase classname="${xmlText(suite)}" name="${xmlText(test)}">${inner}</testcase>`;
}
