// Builds dist/art.json: every kind of thing in the lab as an SVG, in each style of drawing.
// Icons come from open emoji sets; what they lack is drawn in data/drawn and given three looks.
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = new URL("../", import.meta.url);
const path = (relative) => fileURLToPath(new URL(relative, root));
const read = (relative) => readFile(path(relative), "utf8");

const packages = {
  noto: "@iconify-json/noto",
  fluent: "@iconify-json/fluent-emoji-flat",
  twemoji: "@iconify-json/twemoji",
};

// The packages carry no licence text, so the notices of the artists are written here.
const copyright = {
  noto: "Copyright Google LLC",
  fluent: "Copyright (c) Microsoft Corporation",
  twemoji: "Copyright Twitter, Inc and other contributors",
};

const viewBox = 128;

const channels = (hex) =>
  [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
const hex = (values) =>
  `#${values
    .map((value) =>
      Math.round(Math.min(255, Math.max(0, value)))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
const mix = (from, to, share) => {
  const end = channels(to);
  return hex(channels(from).map((value, index) => value + (end[index] - value) * share));
};
const darken = (colour, factor) => hex(channels(colour).map((value) => value * factor));
/** Moves every channel away from (or, below 1, toward) the colour's own grey. */
const saturate = (colour, factor) => {
  const values = channels(colour);
  const grey = values.reduce((sum, value) => sum + value, 0) / 3;
  return hex(values.map((value) => grey + (value - grey) * factor));
};

const recolour = (body, change) => body.replace(/#[0-9a-fA-F]{6}\b/g, change);

/** Replaces {main}, {dark}, {light} and {accent} in a drawing. */
const fill = (body, palette, file) =>
  body.replace(/\{(\w+)\}/g, (_, name) => {
    if (!palette[name])
      throw new Error(`drawn/${file}.svg uses {${name}}, which data/art.yaml does not give it.`);
    return palette[name];
  });

// One drawing, three looks, as different as the three emoji sets are from each other:
// soft shading, flat and bright, flat and dark with less detail.
const looks = {
  noto(body, palette, file) {
    const stops = [
      [0, mix(palette.main, palette.light, 0.55)],
      [0.6, palette.main],
      [1, mix(palette.main, palette.dark, 0.35)],
    ].map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`);
    // In user space, because a straight line has no bounding box for a gradient to run in.
    const gradient = `<linearGradient id="main" x2="0" y2="${viewBox}" gradientUnits="userSpaceOnUse">${stops.join("")}</linearGradient>`;
    return gradient + fill(body, { ...palette, main: "url(#main)" }, file);
  },
  fluent(body, palette, file) {
    return recolour(fill(body, palette, file), (colour) => saturate(colour, 1.2));
  },
  twemoji(body, palette, file) {
    const plain = body.replace(/<[^<>]*data-detail=""[^<>]*\/>\s*/g, "");
    return recolour(fill(plain, { ...palette, dark: darken(palette.dark, 0.9) }, file), (colour) =>
      saturate(darken(colour, 0.94), 0.9),
    );
  },
};

/** Gives every id a prefix, so that many pictures can share one document. */
const prefixIds = (body, prefix) => {
  const names = new Map();
  for (const [, id] of body.matchAll(/\bid="([^"]+)"/g)) names.set(id, `${prefix}-${names.size}`);
  return body
    .replace(/\bid="([^"]+)"/g, (_, id) => `id="${names.get(id)}"`)
    .replace(/url\(#([^)]+)\)/g, (match, id) => (names.has(id) ? `url(#${names.get(id)})` : match))
    .replace(/href="#([^"]+)"/g, (match, id) =>
      names.has(id) ? `href="#${names.get(id)}"` : match,
    );
};

const svg = (body, width, height, prefix) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${prefixIds(body, prefix)}</svg>`;

function iconSvg(kind, entry, style, set) {
  const name = typeof entry.icon === "string" ? entry.icon : entry.icon[style];
  const icon = set.icons[set.aliases?.[name]?.parent ?? name];
  if (!icon)
    throw new Error(`"${kind}" needs the icon "${name}", which ${packages[style]} does not have.`);
  return svg(
    icon.body,
    icon.width ?? set.width ?? 16,
    icon.height ?? set.height ?? 16,
    `${style}-${slug(kind)}`,
  );
}

const slug = (name) => name.replaceAll(" ", "-");

function drawnSvg(kind, entry, style, body, palette, suffix) {
  const shapes = looks[style](body, palette, entry.drawn)
    .replaceAll(' data-detail=""', "")
    .replace(/>\s+</g, "><")
    .trim();
  const rounded = `<g stroke-linecap="round" stroke-linejoin="round">${shapes}</g>`;
  return svg(rounded, viewBox, viewBox, [style, slug(kind), ...suffix].join("-"));
}

function drawnArt(kind, entry, style, body, colours) {
  const art = {};
  if (entry.own) art.svg = drawnSvg(kind, entry, style, body, entry.own, []);
  if (entry.colours) {
    art.colours = Object.fromEntries(
      Object.entries(colours).map(([name, palette]) => [
        name,
        drawnSvg(kind, entry, style, body, palette, [name]),
      ]),
    );
  }
  if (!art.svg && !art.colours)
    throw new Error(`"${kind}" has neither own colours nor named ones in data/art.yaml.`);
  return art;
}

const sorted = (value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key])]),
      )
    : value;

const { styles: styleNames, colours, kinds } = parse(await read("data/art.yaml"));
const bodies = {};
for (const { drawn } of Object.values(kinds)) {
  if (drawn) bodies[drawn] = await read(`data/drawn/${drawn}.svg`);
}

const styles = {};
const attribution = [];
for (const style of styleNames) {
  const of = async (file) =>
    JSON.parse(await readFile(new URL(import.meta.resolve(`${packages[style]}/${file}`)), "utf8"));
  const [set, about] = [await of("icons.json"), await of("info.json")];
  const { version } = await of("package.json");
  attribution.push({
    style,
    package: packages[style],
    version,
    name: about.name,
    author: about.author.name,
    licence: about.license.spdx,
    url: about.author.url,
  });
  styles[style] = Object.fromEntries(
    Object.entries(kinds).map(([kind, entry]) => [
      kind,
      {
        ...(entry.drawn ? drawnArt(kind, entry, style, bodies[entry.drawn], colours) : {}),
        ...(entry.icon ? { svg: iconSvg(kind, entry, style, set) } : {}),
      },
    ]),
  );
}

// People are put together when they are painted, since their parts come in too many colours and
// patterns to be kept ready: here each style gets its drawings and its palettes.
const wardrobe = parse(await read("data/wardrobe.yaml"));
const partNames = (await readdir(path("data/drawn/people")))
  .filter((name) => name.endsWith(".svg"))
  .map((name) => name.slice(0, -4));
const partBodies = Object.fromEntries(
  await Promise.all(
    partNames.map(async (name) => [name, await read(`data/drawn/people/${name}.svg`)]),
  ),
);
const tones = {
  noto: { colour: (colour) => colour, detail: true },
  fluent: { colour: (colour) => saturate(colour, 1.2), detail: true },
  twemoji: {
    colour: (colour) => saturate(darken(colour, 0.94), 0.9),
    detail: false,
  },
};
const palettesIn = (colour, list) =>
  Object.fromEntries(
    Object.entries(list).map(([name, palette]) => [
      name,
      Object.fromEntries(Object.entries(palette).map(([key, value]) => [key, colour(value)])),
    ]),
  );
const people = Object.fromEntries(
  styleNames.map((style) => {
    const { colour, detail } = tones[style];
    const parts = Object.fromEntries(
      Object.entries(partBodies).map(([name, body]) => [
        name,
        recolour(
          (detail ? body : body.replace(/<[^<>]*data-detail=""[^<>]*\/>\s*/g, ""))
            .replaceAll(' data-detail=""', "")
            .replace(/>\s+</g, "><")
            .trim(),
          colour,
        ),
      ]),
    );
    return [
      style,
      {
        parts,
        cloth: palettesIn(colour, wardrobe.cloth),
        skin: palettesIn(colour, wardrobe.skin),
        hair: palettesIn(colour, wardrobe.hair),
        shaded: style === "noto",
      },
    ];
  }),
);

const notice = await read("NOTICE");
for (const { name, licence, url, style } of attribution) {
  for (const needed of [name, licence, url, copyright[style]]) {
    if (!notice.includes(needed))
      throw new Error(`NOTICE does not name "${needed}", which the ${style} icons require.`);
  }
}

const target = path("dist/art.json");
const json = `${JSON.stringify(sorted({ viewBox, styles, attribution, people }))}\n`;
await mkdir(dirname(target), { recursive: true });
// Whoever reads it meanwhile gets the old one or the new one, whole.
await writeFile(`${target}.part`, json);
await rename(`${target}.part`, target);
const drawnCount = Object.values(kinds).filter((entry) => entry.drawn).length;
console.log(
  `lab art: ${Object.keys(kinds).length} kinds, ${drawnCount} drawn here, ${partNames.length} parts of people, ${styleNames.length} styles, ${Buffer.byteLength(json)} bytes`,
);
