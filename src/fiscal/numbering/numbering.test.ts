import { expect, test } from "vitest";
import { findRange } from "./numbering.ts";
import { sampleRange as range } from "./range.fixture.ts";

test("the first range that is valid and has a number left is used", () => {
  const ranges = [
    range({ id: "other kind", kind: "invoice" }),
    range({ id: "used up", next: 11 }),
    range({ id: "expired", validUntil: "2026-01-31" }),
    range({ id: "usable", next: 10 }),
    range({ id: "later" }),
  ];
  expect(findRange(ranges, "pos", "2026-02-01")).toMatchObject({ kind: "found", range: { id: "usable" } });
  expect(findRange(ranges, "pos", "2026-01-31")).toMatchObject({ kind: "found", range: { id: "expired" } });
});

test("a range is not used before its first day", () => {
  const ranges = [range({ id: "later", validFrom: "2026-02-02" }), range({ id: "now", validFrom: "2026-02-01" })];
  expect(findRange(ranges, "pos", "2026-02-01")).toMatchObject({ range: { id: "now" } });
  expect(findRange(ranges, "pos", "2026-02-02")).toMatchObject({ range: { id: "later" } });
  expect(findRange(ranges, "pos", "2026-01-31")).toMatchObject({
    reason: expect.stringContaining("empieza a valer el 2026-02-01"),
  });
});

test("a register's own range comes before its warehouse's, that before its sede's, and that before one for all", () => {
  const ranges = [
    range({ id: "all" }),
    range({ id: "sede", locationId: "s" }),
    range({ id: "warehouse", warehouseId: "w" }),
    range({ id: "register", registerId: "r" }),
    range({ id: "other register", registerId: "x" }),
  ];
  const at = (registers: string[], warehouses: string[], used: string[] = [], locations: string[] = []) => {
    const left = ranges.map((one) => (used.includes(one.id) ? { ...one, next: 11 } : one));
    const found = findRange(left, "pos", "2026-02-01", { registers, warehouses, locations });
    return found.kind === "found" ? found.range.id : found.reason;
  };
  expect(at(["r"], ["w"])).toBe("register");
  expect(at(["r"], ["w"], ["register"])).toBe("warehouse");
  expect(at(["r"], ["w"], ["register", "warehouse"])).toBe("all");
  expect(at(["r"], ["w"], ["register", "warehouse"], ["s"])).toBe("sede");
  expect(at([], [], [], ["s"])).toBe("sede");
  expect(at([], [], ["sede"], ["s"])).toBe("all");
  expect(at([], [])).toBe("all");
  expect(findRange([ranges[3]!], "pos", "2026-02-01")).toMatchObject({
    reason: expect.stringContaining("para documentos POS de esta caja"),
  });
});

test("the reason names the range and the next step", () => {
  const next = "Registre un rango nuevo en el perfil fiscal y reenvíe el documento.";
  expect(findRange([], "invoice", "2026-02-01")).toMatchObject({
    reason: `No hay un rango de numeración para facturas electrónicas. ${next}`,
  });
  expect(findRange([range({ next: 11 })], "pos", "2026-02-01")).toMatchObject({
    reason: `El rango de numeración EPOS 1–10 para documentos POS se agotó. ${next}`,
  });
  expect(findRange([range({ validUntil: "2026-01-31" })], "pos", "2026-02-01")).toMatchObject({
    reason: `El rango de numeración EPOS 1–10 para documentos POS venció el 2026-01-31. ${next}`,
  });
});
