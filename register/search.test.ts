import { expect, test } from "vitest";
import { newCatalog } from "./catalog.ts";
import { searchIndex } from "./search.ts";

const item = (name: string, ...codes: string[]) => ({ name, codes });

test("a search knows neither accents nor capitals, and any order of words", () => {
  const index = searchIndex([item("Café Águila Roja 500 g", "7701"), item("Azúcar kg"), item("Descafeinado 250 g")]);
  expect(index.find("cafe aguila", 10).map(({ name }) => name)).toEqual(["Café Águila Roja 500 g"]);
  expect(index.find("ROJA café", 10)).toHaveLength(1);
  expect(index.find("azucar", 10)).toHaveLength(1);
  expect(index.find("  ", 10)).toEqual([]);
});

test("names that begin with the query come first, then words that do, then the rest", () => {
  const index = searchIndex([item("Descafeinado"), item("Torta de café"), item("Café molido")]);
  expect(index.find("cafe", 10).map(({ name }) => name)).toEqual(["Café molido", "Torta de café", "Descafeinado"]);
  expect(index.find("cafe", 1).map(({ name }) => name)).toEqual(["Café molido"]);
});

test("a code finds its product or its variant, whole or in part", () => {
  const catalog = newCatalog();
  const product = { name: "Camiseta", active: true, sellable: true, sku: "CAM" };
  const variants = [
    { id: "v1", label: "Talla S", sku: "CAM-S" },
    { id: "v2", label: "Talla M", sku: "CAM-M" },
  ];
  catalog.keep("product", "p1", { ...product, variants });
  expect(catalog.byCode("cam-m")?.variant?.label).toBe("Talla M");
  expect(catalog.byCode("CAM")).toMatchObject({ product: { id: "p1" } });
  expect(catalog.byCode("CAM")?.variant).toBeUndefined();
  expect(catalog.byCode("CAM-")).toBeUndefined();
  expect(catalog.search("cam-s").map(({ id }) => id)).toEqual(["p1"]);
  expect(catalog.search("talla m").map(({ id }) => id)).toEqual(["p1"]);
});

test("a product that is edited, hidden or deleted is found as it is now", () => {
  const catalog = newCatalog();
  catalog.keep("product", "p1", { name: "Pan", active: true, sellable: true, sku: "1", variants: [] });
  expect(catalog.search("pan")).toHaveLength(1);
  catalog.take({ seq: 7, type: "product", id: "p1", deleted: false, data: { set: { name: "Mogolla" }, init: {} } });
  expect(catalog.search("pan")).toEqual([]);
  expect(catalog.search("mogolla")).toHaveLength(1);
  catalog.keep("product", "p1", { active: false });
  expect(catalog.byCode("1")).toBeUndefined();
  catalog.take({ seq: 9, type: "product", id: "p1", deleted: true, data: null });
  expect(catalog.all("product")).toEqual([]);
  expect(catalog.seqOf("p1")).toBe(9);
});
