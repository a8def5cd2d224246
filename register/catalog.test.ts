import { expect, test } from "vitest";
import { newCatalog } from "./catalog.ts";

const product = (name: string) => ({ name, active: true, sellable: true, variants: [] });

test("products by name are one array until one of them changes", () => {
  const catalog = newCatalog();
  for (const name of ["Pera", "Ñame", "Arroz", "Nabo"]) catalog.keep("product", name, product(name));
  const before = catalog.productsByName();
  expect(before.map(({ name }) => name)).toEqual(["Arroz", "Nabo", "Ñame", "Pera"]);
  catalog.keep("customer", "cliente", { name: "Ana" });
  expect(catalog.productsByName()).toBe(before);
  catalog.keep("product", "Pera", { active: false });
  expect(catalog.productsByName().map(({ name }) => name)).toEqual(["Arroz", "Nabo", "Ñame"]);
});
