import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { hideStart } from "../../src/api/portal/home/first-steps.ts";
import { sql } from "../../src/db/sql.ts";
import { launchBrowser } from "./browser.ts";
import { shared } from "./fixtures.ts";
import { givePassword, newestCode, password } from "./portal.ts";
import type { Service } from "./service.ts";

let ofThisWorker: Promise<Browser> | undefined;

/**
 * One browser for all files of a worker, since starting one is dear: what it knows is in its contexts, and those are closed after
 * each file. If it died, the next file gets a new one.
 */
export function sharedBrowser(): Browser {
  return shared(
    async () => {
      const browser = await ofThisWorker?.catch(() => undefined);
      if (browser?.isConnected()) return browser;
      if (!ofThisWorker) process.once("SIGTERM", endAtOnce);
      ofThisWorker = launchBrowser({ handleSIGTERM: false });
      return ofThisWorker;
    },
    async (browser) => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  );
}

/** The pages that are open in it, for those who ask what a failed test saw. */
export async function openPages(): Promise<Page[]> {
  const browser = await ofThisWorker?.catch(() => undefined);
  return browser?.isConnected() ? browser.contexts().flatMap((context) => context.pages()) : [];
}

/**
 * Vitest ends a worker with SIGTERM, gives it half a second, and lets nobody call `process.exit` there. Those who listen for
 * the exit kill the browser and remove its folder.
 */
function endAtOnce(): void {
  process.emit("exit", 0);
  process.kill(process.pid, "SIGKILL");
}

/** An account whose owner can sign in with `password`. */
export async function openAccount(
  service: Service,
  { name = "Tienda La Esquina", isNew = false }: { name?: string; isNew?: boolean } = {},
): Promise<{ accountId: string; email: string }> {
  const { accountId } = await service.business();
  await service.deps.pool.query(sql`update accounts set name = ${name} where id = ${accountId}`);
  await givePassword(service.deps.pool, accountId);
  // Most tests are about a business that has begun; a new one sees its first steps instead of its figures.
  if (!isNew) await hideStart(service.deps.pool, accountId, service.deps.clock.now());
  return { accountId, email: `${accountId}@example.com` };
}

/** An owner in front of a real browser. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** What the browser complained about: errors of scripts and of the content policy. */
  complaints: string[];
  goto(path: string): Promise<void>;
  signIn(email: string): Promise<void>;
  button(name: string | RegExp): Locator;
  link(name: string | RegExp): Locator;
  field(label: string | RegExp): Locator;
  /** Waits until the text can be seen. */
  sees(text: string | RegExp): Promise<void>;
  /** Reads the newest code from the mailbox and types it into the dialog. */
  confirm(email: string): Promise<void>;
  /** The value that is shown once; closes the dialog. */
  takeSecret(): Promise<string>;
}

const patienceMs = 120_000;

export async function visit(
  browser: Browser,
  service: Service,
  options: { width?: number; height?: number; scheme?: "light" | "dark" } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: service.baseUrl,
    locale: "es-CO",
    timezoneId: "America/Bogota",
    colorScheme: options.scheme ?? "light",
    reducedMotion: "reduce",
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refused request is logged on the console too; the pages handle it.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  const visitor: Visitor = {
    page,
    context,
    complaints,
    async goto(path) {
      await page.goto(path);
    },
    async signIn(email) {
      await page.goto("/ingreso");
      await page.getByLabel("Correo").fill(email);
      await page.getByLabel("Contraseña", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Entrar" }).click();
      // A business that has not begun starts with its first steps.
      await page.getByRole("heading", { name: /^(Hoy|Empezar)$/, level: 1 }).waitFor();
    },
    button: (name) => page.getByRole("button", { name, exact: typeof name === "string" }),
    link: (name) => page.getByRole("link", { name, exact: typeof name === "string" }),
    field: (label) => page.getByLabel(label, { exact: typeof label === "string" }),
    sees: (text) => page.getByText(text).first().waitFor(),
    async confirm(email) {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Código de 6 dígitos").waitFor();
      await dialog.getByLabel("Código de 6 dígitos").fill(await newestCode(service, email));
      await dialog.getByRole("button", { name: "Confirmar" }).click();
    },
    async takeSecret() {
      const secret = (await page.getByTestId("secret").textContent())!.trim();
      await page.getByRole("button", { name: "Ya lo guardé" }).click();
      await page.getByTestId("secret").waitFor({ state: "detached" });
      return secret;
    },
  };
  return visitor;
}
