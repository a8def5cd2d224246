import { expect, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { start } from "../../src/start/start.ts";
import { documentsOf, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { freePort } from "../support/process.ts";
import { startService } from "../support/service.ts";

test("a process of workers only decides documents and serves no API", async () => {
  await using service = await startService();
  const { accountId } = await fiscalBusiness(service);
  const [sale] = await ringUp(service, accountId, (at) => [plainSale(at, 8_019)]);
  const [port, adminPort] = [await freePort(), await freePort()];
  const config = readConfig({
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY: service.deps.config.secretKey,
    LOG_LEVEL: "silent",
  });
  const running = await start(config, undefined, ["workers"]);
  try {
    await vi.waitFor(async () => expect((await documentsOf(service, accountId, sale!.id))[0]!.status).toBe("issued"), {
      timeout: 5_000,
    });
    await expect(fetch(`http://127.0.0.1:${port}/public/v1/sales`)).rejects.toThrow();
    expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(200);
  } finally {
    await running.stop();
  }
});

test("settings of the authority that cannot work stop the start with one line", () => {
  const base = { SECRET_KEY: "a secret of thirty-two characters!!", FISCAL_AUTHORITY: "apidian" };
  expect(() => readConfig(base)).toThrow(/^Falta APIDIAN_URL/);
  expect(() => readConfig({ ...base, APIDIAN_URL: "apidian.example.com" })).toThrow(/^APIDIAN_URL no es válida/);
  expect(() => readConfig({ ...base, APIDIAN_URL: "http://a.example", APIDIAN_TOKEN: "a b" })).toThrow(
    /^APIDIAN_TOKEN/,
  );
  expect(() => readConfig({ ...base, FISCAL_AUTHORITY: "dian" })).toThrow(/^FISCAL_AUTHORITY=dian no es válido/);
  expect(() =>
    readConfig({ ...base, ENVIRONMENT: "live", SMTP_URL: "smtp://a", APIDIAN_URL: "http://a.example" }),
  ).toThrow(/^APIDIAN_URL no es válida: use una dirección que empiece por https/);
  expect(readConfig({ ...base, APIDIAN_URL: "http://a.example/api/ubl2.1/" }).apidianUrl).toBe(
    "http://a.example/api/ubl2.1",
  );
});
