import { expect, test } from "vitest";
import { networkOf } from "./network-of.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["64:ff9b::203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["no address", "no address"],
])("%s is counted as %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
