import Fastify from "fastify";
import { expect, test } from "vitest";
import { offerDemoRegister } from "../../src/operations/demo/demo-register.ts";
import { perTest } from "../support/fixtures.ts";
import { startService } from "../support/service.ts";

const service = perTest(() => startService());

test("while the demo is being built, whoever asks for it is told that it is coming, and nobody else", async () => {
  const app = Fastify();
  const { deps } = service;
  offerDemoRegister(app, { ...deps, config: { ...deps.config, environment: "test", demo: true } });
  const ask = async (headers: { [name: string]: string }) =>
    (await app.inject({ url: "/caja/demo", headers })).json() as unknown;
  expect(await ask({ host: "localhost" })).toEqual({ name: null, is_coming: true });
  expect(await ask({ host: "malo.example" })).toEqual({ name: null });
  // Somebody's own installation gets none.
  await service.business();
  expect(await ask({ host: "localhost" })).toEqual({ name: null });
  await app.close();
});
