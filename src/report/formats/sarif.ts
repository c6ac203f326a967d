import { nameWithin, type WriteResult } from "./format.js";
import type { ResultCheck } from "./result.js";

/**
 * results.sarif (SARIF 2.1.0, OASIS), which GitHub's code scanning reads, and annotations.txt, whose lines GitHub's
 * workflows show beside the pull request. Failed checks are errors. Open checks have the kind
 * `open` and no level, and are notices in annotations.txt.
 */
export const sarif: WriteResult = ({ checks, verdict }, source) => {
  const told = checks.filter(({ state }) => state !== "passed");
  const rules = [...new Set(checks.map(({ name }) => name))];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "touchstone-t2i",
            semanticVersion: source.version,
            rules: rules.map((id) => ({ id: slug(id), name: id, shortDescription: { text: id } })),
          },
        },
        results: told.map((check) => ({
          ruleId: slug(check.name),
          ruleIndex: rules.indexOf(check.name),
          level: levelOf(check),
          kind: check.state === "failed" ? "fail" : "open",
          message: { text: textOf(check) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(source.name) },
                region: { startLine: 1 },
              },
              logicalLocations: [{ fullyQualifiedName: nameWithin(check, "") }],
            },
          ],
        })),
        properties: { verdict, sha256: source.hash },
      },
    ],
  };
  const commands = told.map(
    (check) =>
      `::${check.state === "failed" ? "error" : "notice"} file=${property(source.name)},title=${property(nameWithin(check, ""))}::${data(textOf(check))}\n`,
  );
  return {
    files: [
      { path: "results.sarif", content: `${JSON.stringify(log, null, 2)}\n` },
      { path: "annotations.txt", content: commands.join("") },
    ],
    notes:
      checks.length > 0
        ? []
        : ["Nothing was demanded of this result, so there is nothing to annotate."],
  };
};

/** A result of a kind other than fail has no level (SARIF 2.1.0, section 3.27.10). */
const levelOf = ({ state }: ResultCheck) => (state === "failed" ? "error" : "none");
const textOf = ({ message, name }: ResultCheck) => message || name;
const slug = (name: string) => name.replaceAll(/\s+/g, "-");

/** As GitHub's workflow commands escape what they carry. */
const data = (text: string) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
