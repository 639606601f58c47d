// Which addresses belong to the public internet. Guards that a URL which somebody else chose never makes this machine talk to
// itself, to its neighbours or to a metadata service: what is not known to be public is not public. It decides on addresses
// only; names are resolved first, and the connection goes to the very address that was looked at.
import { BlockList, isIP } from "node:net";

/** Special-purpose IPv4: this host, private, shared, loopback, link-local, protocol, documentation, benchmark, multicast, reserved. */
const specialV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
/** Inside 2000::/3: protocol assignments with Teredo, documentation, 6to4, documentation again. All outside it is special. */
const specialV6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

function listOf(ranges: readonly (readonly [string, number])[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, family);
  return list;
}
const special = { v4: listOf(specialV4, "ipv4"), v6: listOf(specialV6, "ipv6"), unicast: listOf([["2000::", 3]], "ipv6") };

/** False also for what is not an address. An IPv6 form of an IPv4 address is never public: nobody needs it. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.v4.check(address, "ipv4");
  return family === 6 && !address.includes("%") && special.unicast.check(address, "ipv6") && !special.v6.check(address, "ipv6");
}
