import { expect, it } from "vitest";
import { tableOf } from "./bytes.js";
import { type ListKind, optionalText, score, text } from "./columns.js";
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

it.each([
  ["table", "ann", "Ann "],
  ["rows", "ann", "Ann "],
  ["table", "1", "001"],
  ["rows", "7.0", "7"],
] as const)(
  "tells names that differ by case, spaces or zeros alone (%s)",
  async (read, one, other) => {
    const told: string[] = [];
    const columns = { item: text, value: score };
    const request = {
      source: tableOf("a.csv", `item,value\n${one},1\n${other},2\nben,3\n10,4\n`),
      tell: (sentence: string) => told.push(sentence),
    };
    if (read === "table") await readTable({ ...request, shape: { kinds: columns } });
    else for await (const _ of tableRows({ ...request, columns }));
    expect(told).toEqual([
      expect.stringContaining(
        [one, other]
          .sort()
          .map((name) => `"${name}"`)
          .join(" and "),
      ),
    ]);
  },
);

/** What is told of a table, as warnings. */
async function warningsOf(
  content: string,
  read: "table" | "rows",
  asked: object = { where: [] },
): Promise<string[]> {
  const told: string[] = [];
  const columns = { item: text, rating: score };
  const request = {
    ...asked,
    source: tableOf("a.csv", content),
    tell: (sentence: string, isWarning = false) => isWarning && told.push(sentence),
  };
  if (read === "table") await readTable({ ...request, shape: { kinds: columns } });
  else for await (const _ of tableRows({ ...request, columns }));
  return told;
}

it.each(["table", "rows"] as const)(
  "tells rows that a platform rejected, unless --where speaks of them (%s)",
  async (read) => {
    const table = "item,AssignmentStatus,rating\na,Approved,1\nb,Rejected,2\nc,Rejected,4\n";
    expect(await warningsOf(table, read)).toEqual([
      "2 rows count though AssignmentStatus is \"Rejected\"; to leave out: --where 'AssignmentStatus!=Rejected'",
    ]);
    const where = [{ column: "AssignmentStatus", value: "Rejected", isNot: true }];
    expect(await warningsOf(table, read, { where })).toEqual([]);
    // As of a verb without the flag.
    expect(await warningsOf(table, read, {})).toEqual([
      '2 rows count though AssignmentStatus is "Rejected"',
    ]);
  },
);

it.each([
  ["Status", "Survey Preview", "--where 'Status!=Survey Preview'"],
  ["DistributionChannel", "preview", "--where 'DistributionChannel!=preview'"],
  ["Finished", "FALSE", "--where 'Finished!=FALSE'"],
  ["status", "TIMED-OUT", "--where 'status!=TIMED-OUT'"],
])("tells a row with %s %s", async (column, value, flag) => {
  const said = await warningsOf(`item,${column},rating\na,${value},1\nb,x,2\n`, "table");
  expect(said).toEqual([`1 row counts though ${column} is "${value}"; to leave out: ${flag}`]);
});

it.each([
  ["state", "state\na,failed,1\nb,new,2\nc,wet,3\nd,Ohio,4\n"],
  ["status", "status\na,rejected,1\nb,married,2\nc,single,3\nd,,4\n"],
])("says nothing of a column %s of other words", async (_, rows) => {
  expect(await warningsOf(`item,${rows.replace("\n", ",rating\n")}`, "table")).toEqual([]);
});

it("tells numbers that may mean no answer, also as names of categories", async () => {
  const table = "item,rating,value\na,1,1\nb,5,99\nc,-999,5\n";
  const told: string[] = [];
  const tell = (sentence: string) => told.push(sentence);
  const listed: ListKind<number | null> = { ...score, holds: "lists" };
  const kinds = { item: text, rating: listed, value: text };
  await readTable({ source: tableOf("a.csv", table), tell, shape: { kinds } });
  expect(told).toEqual([
    expect.stringMatching(/^rating has -999 in 1 row/),
    expect.stringMatching(/^value has 99 in 1 row/),
  ]);
});
