import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { settled } from "./axe.ts";
import { password } from "./portal.ts";
import { mostradorJson } from "./process.ts";
import type { Service } from "./service.ts";

/** A business as `mostrador account create` makes it: nobody adds anything that its owner would not have. */
export async function newborn(service: Service): Promise<{ accountId: string; email: string }> {
  const email = `${randomUUID()}@example.com`;
  const env = {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: join(tmpdir(), "mostrador-newborn"),
    SECRET_KEY: service.deps.config.secretKey,
    PUBLIC_URL: service.baseUrl,
  };
  const options = ["--name", "Tienda Recién Abierta", "--email", email, "--password", "-"];
  const made = await mostradorJson(["account", "create", ...options], env, `${password}\n`);
  return { accountId: made.id, email };
}

/** What nobody at a counter or behind a desk may read: an API's word for a field, or a value that is none. */
const unreadable = /«[\w.]*_[\w.]*»|\bundefined\b|\bNaN\b|\[object |Invalid Date/;

/** A page that is watched: what it asks for, and what it says. */
export interface Watched {
  page: Page;
  /** Answers that no page of ours may cause. */
  failures: string[];
  /** Goes to another page as a link does, without loading the portal again. */
  open(path: string): Promise<void>;
  /** Resolves when every request is answered. */
  quiet(): Promise<void>;
  /** What is shown can be read, and nothing of it is missing. */
  expectWhole(where: string): Promise<void>;
  expectReadable(where: string): Promise<void>;
}

export function watch(page: Page): Watched {
  const failures: string[] = [];
  const underWay = new Set<unknown>();
  page.on("request", (request) => underWay.add(request));
  for (const ended of ["requestfinished", "requestfailed"] as const)
    page.on(ended as "requestfinished", (request) => underWay.delete(request));
  page.on("response", (response) => {
    if (response.status() >= 500)
      failures.push(`${response.request().method()} ${response.url()} ${response.status()}`);
  });
  const watched: Watched = {
    page,
    failures,
    async open(path) {
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
      await settled(page);
      await watched.quiet();
    },
    async quiet() {
      await expect.poll(() => underWay.size).toBe(0);
    },
    async expectWhole(where) {
      await watched.expectReadable(where);
      expect(await page.getByText("No se pudo", { exact: true }).count(), where).toBe(0);
    },
    async expectReadable(where) {
      const text = await page.evaluate<string>("document.body.innerText");
      const found = unreadable.exec(text);
      const around = found && text.slice(Math.max(0, found.index - 200), found.index + 200);
      expect(around, where).toBeNull();
    },
  };
  return watched;
}

/** Presses each button of a page once, from the page as it opens. */
export type Presser = (pattern: string, path: string) => Promise<void>;

/** Of the buttons that do the same on many pages, one is enough. */
const shares = /^(Copiar|Descargar|Buscar|Cancelar|Ver más|Mostrar)/;

/** What was pressed on a page is remembered by the page's pattern, so that its next record need not be tried again. */
export function presser(watched: Watched): Presser {
  const pressed = new Set<string>();
  const buttons = () => watched.page.locator("#contenido button:visible:enabled");
  return async (pattern, path) => {
    const nameOf = (text: string) => (shares.test(text) ? text : `${pattern} ${text}`);
    for (;;) {
      const names = await buttons().evaluateAll((all) =>
        all.map((one) => (one.getAttribute("aria-label") ?? one.textContent ?? "").trim()),
      );
      const next = names.findIndex((name) => name !== "" && !pressed.has(nameOf(name)));
      if (next < 0) return;
      const button = nameOf(names[next]!);
      pressed.add(button);
      await buttons().nth(next).click();
      await watched.quiet();
      await watched.expectReadable(button);
      await sendAsItIs(watched, button);
      await watched.page.keyboard.press("Escape");
      await watched.open(path);
    }
  };
}

/** A form that is sent as it opened says in words what is missing. */
async function sendAsItIs({ page, quiet, expectReadable }: Watched, where: string): Promise<void> {
  const submit = page.locator("[role=dialog] button[type=submit]:visible:enabled").first();
  if ((await submit.count()) === 0) return;
  await submit.click();
  await quiet();
  await expectReadable(`${where}, sent as it is`);
}
