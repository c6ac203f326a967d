import { InputError } from "../../core/errors.js";
import type { ImageRow } from "./image-rows.js";
import { type TarMember, tarMembers } from "./tar-members.js";

const imageEndings = ["png", "jpg", "jpeg", "webp", "gif", "tif", "tiff", "avif"];
/** Texts beside an image are captions and what is known of it. */
const mostTextBytes = 16e6;

/**
 * The samples of a WebDataset shard: members that follow each other and have one name up to the first dot.
 * `.txt` and the like are texts by their endings, the members of `.json` are columns.
 *
 * @throws InputError as `tarMembers` does; for a sample without an image, and JSON that is none.
 */
export async function* webDatasetRows(path: string, name: string): AsyncGenerator<ImageRow> {
  let key: string | undefined;
  let members: TarMember[] = [];
  for await (const member of tarMembers(path, name)) {
    const file = member.name.split("/").at(-1) ?? "";
    // __MACOSX/._x and ./.hidden are no samples of anybody's.
    if (file.startsWith(".") || !file.includes(".")) continue;
    const its = member.name.slice(0, member.name.length - file.length) + file.split(".", 1)[0];
    if (its !== key && members.length > 0) yield rowOf(members, { key, name });
    if (its !== key) members = [];
    key = its;
    members.push(member);
  }
  if (members.length > 0) yield rowOf(members, { key, name });
}

function rowOf(
  members: readonly TarMember[],
  { key = "", name }: { readonly key: string | undefined; readonly name: string },
): ImageRow {
  const place = `${key} of ${name}`;
  const endingOf = (member: TarMember) => member.name.slice(key.length + 1).toLowerCase();
  const image = members.find((member) => imageEndings.includes(endingOf(member)));
  const values: Record<string, unknown> = { __key__: key };
  for (const member of members) {
    const ending = endingOf(member);
    if (member === image || member.bytes.length > mostTextBytes) continue;
    if (ending === "json") Object.assign(values, jsonOf(member, name));
    else if (["txt", "text", "caption", "prompt", "cls"].includes(ending)) {
      values[ending] = new TextDecoder().decode(member.bytes).trim();
    }
  }
  return { place, image: image?.name ?? key, bytes: image?.bytes, values };
}

function jsonOf({ name: member, bytes }: TarMember, name: string): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // It is said below.
  }
  throw new InputError(
    `Expected a JSON object for ${member} in ${name} but received something else`,
  );
}
