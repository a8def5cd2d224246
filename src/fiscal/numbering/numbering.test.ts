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
