// The border of the public internet, address by address: each special range by its first and last address and their outer
// neighbours, and every IPv6 way to write an IPv4 address.
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./public-addresses.ts";

const ends: readonly (readonly [first: string, last: string, before: string | null, after: string | null])[] = [
  ["0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
  ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["224.0.0.0", "255.255.255.255", "223.255.255.255", null],
];

describe("public addresses", () => {
  it.each(ends)("%s to %s are special, and their neighbours are not", (first, last, before, after) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    for (const outside of [before, after]) if (outside !== null) expect(isPublicAddress(outside), outside).toBe(true);
  });

  it("loopback, link-local, unique local, multicast and translated IPv6 addresses are not public", () => {
    const blocked = [
      "::",
      "::1",
      "fe80::1",
      "fe80::1%eth0",
      "fc00::1",
      "fd12:3456::1",
      "ff02::1",
      "64:ff9b::a00:1",
      "2002:a00:1::1",
      "2001::1",
    ];
    for (const a of [...blocked, "2001:db8::1", "100::1", "fec0::1", "3fff::1"]) expect(isPublicAddress(a), a).toBe(false);
    for (const a of ["2606:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001::1"]) expect(isPublicAddress(a), a).toBe(true);
  });

  it("an IPv4 address in the clothes of IPv6 is not public, nor is anything that is no address", () => {
    for (const a of ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::127.0.0.1", "0:0:0:0:0:ffff:a9fe:a9fe"])
      expect(isPublicAddress(a), a).toBe(false);
    for (const a of ["", "localhost", "127.1", "2130706433", "0x7f.0.0.1", "8.8.8.8 ", "2606:4700::1111%eth0"])
      expect(isPublicAddress(a), a).toBe(false);
  });
});
