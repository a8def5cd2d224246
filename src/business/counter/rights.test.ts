import { expect, test } from "vitest";
import { grantedOf } from "../../access/people/counter-rights.ts";
import { actKinds } from "./act-kinds.ts";
import { allRights, rights, rightsOf } from "./rights.ts";

test("until an owner sets the later rights, nobody loses what she could do before there were any", () => {
  expect(rightsOf({ permissions: [] })).toEqual([
    "price",
    "free_line",
    "remove_kept",
    "stock",
    "expected_cash",
    "close_shift",
  ]);
  expect(rightsOf({ permissions: ["drawer"], rights: null })).toContain("cash");
  expect(rightsOf({ permissions: ["discount", "cancel", "return", "drawer"] })).toEqual(
    allRights.filter((right) => rights[right].formerly !== "nobody"),
  );
});

test("what an owner set is what holds, and the first four are read from where older processes write them", () => {
  const all = ["discount", "cash"] as const;
  expect(rightsOf(grantedOf(all))).toEqual(all);
  expect(rightsOf(grantedOf([]))).toEqual([]);
  expect(rightsOf({ permissions: ["cancel"], rights: ["discount", "stock", "fly"] })).toEqual(["cancel", "stock"]);
});

test("every right has an act that it allows", () => {
  expect(allRights.filter((right) => !(Object.values(actKinds) as unknown[]).includes(right))).toEqual([]);
});
