// Ranges of addresses, such as 10.0.0.0/8 or ::1, and whether an address is in one of them. An IPv4 address in its IPv6 form counts as
// IPv4. Text that is no address is in none.
import { BlockList, isIP } from "node:net";

export interface AddressRanges {
  has(address: string): boolean;
}

/** Undefined: one of the texts is no address and no range; `wrong` says which. */
export function addressRanges(texts: readonly string[]): AddressRanges | { readonly wrong: string } {
  const list = new BlockList();
  for (const text of texts) {
    const [net = "", bits, ...more] = text.split("/");
    const family = isIP(net);
    const max = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? max : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (family === 0 || more.length > 0 || !(prefix <= max)) return { wrong: text };
    list.addSubnet(net, prefix, family === 4 ? "ipv4" : "ipv6");
  }
  return {
    has: (address) => {
      const plain = plainAddress(address);
      const family = isIP(plain);
      return family !== 0 && list.check(plain, family === 4 ? "ipv4" : "ipv6");
    },
  };
}

/** "::ffff:10.0.0.1" is 10.0.0.1. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}
