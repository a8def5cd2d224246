import { expect, test } from "vitest";
import { assistantOverHttp } from "../support/assistant.ts";
import { sharedService } from "../support/fixtures.ts";

const service = sharedService({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "12" });

test("an assistant shares the limit of its key with the API, and is told how long to wait", async () => {
  const shop = await service.business();
  await using assistant = await assistantOverHttp(service.baseUrl, shop.key);
  const answers: unknown[] = [];
  for (let i = 0; i < 12; i++) {
    try {
      answers.push(await assistant.use("find_product", { text: "cafe" }));
    } catch (error) {
      answers.push((error as Error).message);
    }
  }
  expect(answers[0]).toEqual({ products: [], has_more: false });
  expect(answers.filter((one) => String(one).includes("RATE_LIMITED")).length).toBeGreaterThan(3);
  const direct = await shop.api.get("/products");
  expect([direct.status, Number(direct.headers.get("retry-after")) >= 1]).toEqual([429, true]);
  const neighbour = await service.business();
  expect((await neighbour.api.get("/products")).status).toBe(200);
});
