// Draws docs/growth.svg: how time and memory of sums, and of what is concluded from them, grow with rows. Points are
// measured (bench/growth.json); dashed lines go on from the last two of them, a constant a row, and are on paper.
//
//   node bench/growth.mjs
import { readFile, writeFile } from "node:fs/promises";

const { rows, onPaper, measured } = JSON.parse(
  await readFile(new URL("growth.json", import.meta.url), "utf8"),
);
const [width, height, left, top, gap] = [250, 190, 52, 34, 110];

/** What a line through the last two measured points comes to. */
function onLine(values, at) {
  const last = values.length - 1;
  const aRow = (values[last] - values[last - 1]) / (rows[last] - rows[last - 1]);
  return values[last] + aRow * (at - rows[last]);
}

function panel({ title, key, ends: [low, high], ticks, isOnPaper, from }) {
  const x = (at) => from + (width * (Math.log10(at) - 6)) / 4;
  const y = (value) => top + height * (1 - Math.log10(value / low) / Math.log10(high / low));
  const path = (points) =>
    points
      .map(([at, value], n) => `${n === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
      .join("");
  const grid = ticks.map(
    ([value, name]) =>
      `<path d="M${from} ${y(value).toFixed(1)}h${width}" stroke="#e2e4e8"/><text x="${from - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${name}</text>`,
  );
  const below = [6, 7, 8, 9, 10].map(
    (power) =>
      `<text x="${x(10 ** power).toFixed(1)}" y="${top + height + 18}" text-anchor="middle">10${"⁶⁷⁸⁹"[power - 6] ?? "¹⁰"}</text>`,
  );
  const lines = measured.map(({ name, colour, [key]: values }) => {
    const points = values.map((value, n) => [rows[n], value]);
    const end = points.at(-1);
    const further = isOnPaper(name)
      ? [
          end,
          ...rows
            .slice(values.length)
            .concat(onPaper)
            .map((at) => [at, onLine(values, at)]),
        ]
      : [end];
    const [lastAt, lastValue] = further.at(-1);
    return [
      `<path d="${path(points)}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      further.length > 1
        ? `<path d="${path(further)}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-dasharray="4 4"/>`
        : "",
      ...points.map(
        ([at, value]) =>
          `<circle cx="${x(at).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3.5" fill="${colour}"/>`,
      ),
      `<text x="${(x(lastAt) + 7).toFixed(1)}" y="${(y(lastValue) + (further.length > 1 ? 4 : -6)).toFixed(1)}" fill="${colour}">${name}</text>`,
    ].join("");
  });
  return [
    `<text x="${from}" y="18" font-weight="600">${title}</text>`,
    ...grid,
    ...below,
    `<text x="${from + width / 2}" y="${top + height + 36}" text-anchor="middle">rows</text>`,
    ...lines,
  ].join("\n");
}

const panels = [
  panel({
    title: "Processor time",
    key: "seconds",
    ends: [1, 1e5],
    ticks: [
      [1, "1 s"],
      [60, "1 min"],
      [3600, "1 h"],
      [86_400, "1 day"],
    ],
    isOnPaper: () => true,
    from: left,
  }),
  panel({
    title: "Memory",
    key: "megabytes",
    ends: [100, 1e5],
    ticks: [
      [100, "100 MB"],
      [1000, "1 GB"],
      [10_000, "10 GB"],
      [100_000, "100 GB"],
    ],
    // Engines keep to the memory that they are given, and use the disk.
    isOnPaper: (name) => name === "analyze",
    from: left + width + gap,
  }),
];
const [wide, high] = [left + 2 * width + gap + 62, top + height + 44];
const said = "Time and memory against rows: measured to 100 million; beyond on paper.";
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="12" fill="#30343b" role="img" aria-labelledby="title">
<title id="title">${said}</title>
<rect width="${wide}" height="${high}" fill="#fff"/>
${panels.join("\n")}
</svg>
`;
await writeFile(new URL("../docs/growth.svg", import.meta.url), svg);
for (const { name, seconds, megabytes } of measured) {
  for (const at of onPaper) {
    console.log(
      name,
      at,
      `${Math.round(onLine(seconds, at))} s`,
      `${Math.round(onLine(megabytes, at))} MB`,
    );
  }
}
