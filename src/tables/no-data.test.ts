import { expect, it } from "vitest";
import { tableOf } from "./bytes.js";
import { optionalText, score, text } from "./columns.js";
import { readTable } from "./table.js";
import { tableRows } from "./table-rows.js";

const kinds = { item: text, note: optionalText, value: text };

async function problemsOf(content: string, read: "table" | "rows"): Promise<unknown> {
  const source = tableOf("a.csv", content);
  try {
    if (read === "table") await readTable({ source, shape: { kinds } });
    else for await (const _ of tableRows({ source, columns: kinds }));
    return [];
  } catch (error) {
    return Reflect.get(Object(error), "problems");
  }
}

it.each(["table", "rows"] as const)(
  "refuses rows that are no data, by place (%s)",
  async (read) => {
    const header = "item,note,value\n";
    const rows = "a,x,1\nb,y,2\nc,z,3\nd,x,1\n";
    expect(await problemsOf(`${header}${rows}`, read)).toEqual([]);
    expect(await problemsOf(`${header}${rows}Total,,7\n`, read)).toEqual([
      expect.stringMatching(/sums others up.*line 6/),
    ]);
    expect(
      await problemsOf(`${header}${rows}${header}${rows.replaceAll(/^./gm, "$&2")}`, read),
    ).toEqual([expect.stringMatching(/header again.*line 6/)]);
    const described = '"{""ImportId"":""QID1""}"';
    expect(
      await problemsOf(`${header}Item,Note,Value\n${described},${described},q\n${rows}`, read),
    ).toEqual([expect.stringMatching(/ImportId.*line 3/)]);
  },
);

it("reads a category called mean, and a total among the first rows", async () => {
  const rows = "mean,,1\na,,2\nb,,3\nc,,4\nd,,5\n";
  expect(await problemsOf(`item,note,value\n${rows}`, "table")).toEqual([]);
  const many = "a,mean,1\nb,mean,2\nc,mean,3\nd,mean,4\ne,mean,5\n";
  expect(await problemsOf(`item,note,value\n${many}`, "table")).toEqual([]);
});

it.each(["table", "rows"] as const)(
  "tells names that differ by case or spaces alone (%s)",
  async (read) => {
    const told: string[] = [];
    const columns = { item: text, value: score };
    const request = {
      source: tableOf("a.csv", "item,value\nann,1\nAnn ,2\nben,3\n"),
      tell: (sentence: string) => told.push(sentence),
    };
    if (read === "table") await readTable({ ...request, shape: { kinds: columns } });
    else for await (const _ of tableRows({ ...request, columns }));
    expect(told).toEqual([expect.stringContaining('"Ann " and "ann"')]);
  },
);
