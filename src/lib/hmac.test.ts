import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { hmacSha256 } from "./hmac.ts";

test("is Node's own HMAC, for keys and messages shorter, equal to and longer than a block", () => {
  for (const key of ["", "k", "k".repeat(63), "k".repeat(64), "k".repeat(65), "ñ".repeat(50)])
    for (const length of [0, 1, 63, 64, 65, 5_000]) {
      const message = Buffer.alloc(length, 7);
      expect(hmacSha256(key, message)).toEqual(createHmac("sha256", key).update(message).digest());
    }
});
