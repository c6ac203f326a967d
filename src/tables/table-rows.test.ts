import { expect, it } from "vitest";
import { tableOf } from "./bytes.js";
import { optionalText, score, text } from "./columns.js";
import { tableRows } from "./table-rows.js";

const count = 30_000;
const rows = Array.from({ length: count }, (_, at) => ({
  id: `id ${at}`,
  note: at % 3 === 0 ? undefined : `note ${at}`,
  value: at % 5 === 0 ? null : at / 7,
}));

it.each(["csv", "jsonl"] as const)(
  "streams more names than it holds at once (%s)",
  async (format) => {
    const lines = rows.map(({ id, note = "", value }) =>
      format === "csv" ? `${id},${note},${value ?? ""}` : JSON.stringify({ id, note, value }),
    );
    const content = format === "csv" ? ["id,note,value", ...lines] : lines;
    const columns = { id: text, note: optionalText, value: score };
    const request = {
      source: tableOf(`a.${format}`, content.join("\n")),
      columns,
      unique: ["id"] as const,
    };
    const told: string[] = [];
    const found: unknown[] = [];
    for await (const { row, all, line, rowName } of tableRows({
      ...request,
      tell: (sentence) => told.push(sentence),
    })) {
      found.push(row);
      const at = found.length - 1;
      if (at % 1000 > 0) continue;
      expect([all.id, rowName]).toEqual([rows[at]?.id, `row ${at + 1}`]);
      expect(line).toBe(at + (format === "csv" ? 2 : 1));
    }
    expect(found).toEqual(rows);
    expect(told).toEqual([]);
  },
);

it("names a row whose values stand in an earlier block", async () => {
  const lines = rows.map(({ id }) => id);
  const source = tableOf("a.csv", ["id", ...lines, "id 7"].join("\n"));
  const read = async () => {
    for await (const _ of tableRows({ source, columns: { id: text }, unique: ["id"] }));
  };
  await expect(read()).rejects.toHaveProperty("problems", [
    `id "id 7" stands in line 9 already (in a.csv, line ${count + 2})`,
  ]);
});
