/** A member of a made-up archive; `type` is the tar format's own: "0" a file, "2" a link. */
export interface MadeMember {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  /** What the header says, where it lies. */
  readonly size?: number;
}

/** A tar archive (ustar) of these members. */
export function tarBytes(members: readonly MadeMember[]): Buffer {
  const blocks = members.flatMap(({ name, content = "", type = "0", size }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000644\0", 100);
    header.write((size ?? bytes.length).toString(8).padStart(11, "0"), 124);
    header.write(" ".repeat(8), 148);
    header.write(type, 156);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
