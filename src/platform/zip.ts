// Writes a zip: a few named members, deflated or stored, whichever is smaller. The same members give the same bytes, on any
// day: every time in it is the first one that the format knows. It must never write more than the format's first edition can
// say (no zip64): what does not fit is refused.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipMember {
  readonly name: string;
  readonly data: Uint8Array;
}

const bytesMax = 0xffff_ffff;
const membersMax = 0xffff;
/** Bit 11: names are UTF-8. */
const utf8Names = 0x0800;
const version = 20;
/** 1980-01-01 00:00:00, as the format writes it. */
const epoch = { time: 0, date: 0x21 };

export function zipOf(members: readonly ZipMember[]): Uint8Array {
  if (members.length > membersMax) throw new RangeError(`a zip holds at most ${membersMax} members`);
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const m of members) {
    const name = Buffer.from(m.name, "utf8");
    const packed = deflateRawSync(m.data, { level: 9 });
    const deflated = packed.length < m.data.length;
    const body = deflated ? packed : m.data;
    const head = common(m.data, body.length, name.length, deflated);
    const local = Buffer.concat([u32(0x04034b50), head, name]);
    parts.push(local, body);
    // Comment, disk and attributes are empty: nothing about the machine that wrote it.
    directory.push(Buffer.concat([u32(0x02014b50), u16(version), head, Buffer.alloc(10), u32(offset), name]));
    offset += local.length + body.length;
  }
  const central = Buffer.concat(directory);
  if (offset + central.length > bytesMax) throw new RangeError("a zip holds at most 4 GiB");
  const count = u16(members.length);
  const end = Buffer.concat([u32(0x06054b50), Buffer.alloc(4), count, count, u32(central.length), u32(offset), u16(0)]);
  return Buffer.concat([...parts, central, end]);
}

/** What a member's two headers share. */
function common(data: Uint8Array, packed: number, nameLength: number, deflated: boolean): Buffer {
  const method = u16(deflated ? 8 : 0);
  const sizes = [u32(crc32(data)), u32(packed), u32(data.length), u16(nameLength), u16(0)];
  return Buffer.concat([u16(version), u16(utf8Names), method, u16(epoch.time), u16(epoch.date), ...sizes]);
}

function u16(n: number): Buffer {
  const b = Buffer.alloc(2);
  b.writeUInt16LE(n);
  return b;
}

function u32(n: number): Buffer {
  const b = Buffer.alloc(4);
  b.writeUInt32LE(n);
  return b;
}
