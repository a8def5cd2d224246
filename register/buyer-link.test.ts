import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { documentLinks, readBuyerToken, buyerLink as written } from "../src/fiscal/documents/buyer-link.ts";
import { buyerLink } from "./buyer-link.ts";

test("a register writes the same link as the service, which knows it again", async () => {
  for (let i = 0; i < 200; i++) {
    const config = {
      secretKeys: randomBytes(32).toString("hex"),
      retiredKeys: {},
      publicUrl: "https://tienda.example",
    };
    const [accountId, saleId] = [randomUUID(), randomUUID()];
    const link = await buyerLink({ document_links: documentLinks(config, accountId) }, saleId);
    expect(link).toBe(written(config, { accountId, saleId }));
    expect(readBuyerToken(config, link!.split("/d/")[1]!)).toEqual({ accountId, saleId });
  }
});

test("without what a service of before did not send there is none", async () => {
  expect(await buyerLink({ document_links: null }, randomUUID())).toBeUndefined();
});
