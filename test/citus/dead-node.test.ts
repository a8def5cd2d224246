import { describe, expect, test } from "vitest";
import { day } from "../../src/lib/clock.ts";
import { alertsProblem, hasPromtool, scrape } from "../support/alerts.ts";
import { eventually } from "../support/eventually.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { endNode, hasNodeCommands, makeNodeShops, type NodeShop, startNode } from "../support/node-shops.ts";
import { password } from "../support/portal.ts";
import { mostrador } from "../support/process.ts";
import { sale } from "../support/registered-shop.ts";
import { freshDatabase } from "../support/service.ts";

const secretKey = "k".repeat(32);
const rounds = 12;
const alert = "MostradorNodoAusente";

interface Answered {
  status: number;
  headers: Headers;
}

/** What people and machines of a shop ask of the service, by name. */
const asks: Record<string, (shop: NodeShop, round: number) => Promise<Answered>> = {
  write: ({ api }, round) => api.post("/customers", { name: `Cliente ${round}` }),
  list: ({ api }) => api.get("/customers"),
  events: ({ api }) => api.get("/events"),
  push: async ({ till }) => {
    const { id, ...data } = sale();
    const answer = await till.push([{ type: "sale", id, data }]);
    // What was refused keeps its number.
    if (answer.status !== 200) till.next -= 1;
    return answer;
  },
  pull: ({ till }) => till.pull(),
  overview: ({ portal }) => portal.get("/overview"),
  attention: ({ portal }) => portal.get("/attention"),
};

const period = "from=2026-01-01&to=2026-12-31";
/** Pages of the portal, each with statements of its own. */
const pages = [
  ...["/session", "/account", "/sessions", "/audit-log", "/today", "/webhook-endpoints", "/events", "/api-keys"],
  ...["/requests", "/sales", "/sales/totals", "/sales/choices", "/quotes", "/quotes/totals", "/devices", "/counter"],
  ...["/cashiers", "/fiscal-profile", "/numbering-ranges", "/invoices/unissued", "/findings", "/contingency"],
  ...["/invoices", "/invoices/totals", "/look", "/accounting-codes", "/products", "/products/totals", "/start"],
  ...["/stock-movements", "/stock-settings", "/categories", "/warehouses", "/search?q=ana", "/overview", "/attention"],
  ...["day", "hour", "product", "payment_method", "register", "cashier"].map(
    (by) => `/reports/sales?by=${by}&${period}`,
  ),
  `/reports/taxes?${period}`,
  "/reports/weekly-summary",
];

/** Lists, and what is asked of their first record. */
const detailed: [list: string, ...parts: string[]][] = [
  ["/sales", "", "/findings"],
  ["/invoices", ""],
  ["/webhook-endpoints", "", "/figures", "/deliveries"],
  ["/devices", "/quarantined", "/conflicts", "/flagged"],
];

async function failingPages({ portal }: NodeShop): Promise<string[]> {
  const failing: string[] = [];
  const details: string[] = [];
  for (const [list, ...parts] of detailed) {
    const { body } = await portal.get(list);
    details.push(...parts.map((part) => `${list}/${body.data[0].id}${part}`));
  }
  for (const path of [...pages, ...details]) {
    const { status } = await portal.get(path);
    if (status >= 400) failing.push(`${path}: ${status}`);
  }
  return failing;
}

/** Every shop asks everything at once, so that reads and writes of both nodes share packets and transactions. */
async function askAll(shops: readonly NodeShop[], round: number) {
  return Promise.all(
    shops.flatMap((shop) =>
      Object.entries(asks).map(async ([what, ask]) => {
        const { status, headers } = await ask(shop, round);
        return { shop, what, status, retryAfter: headers.get("retry-after") };
      }),
    ),
  );
}

/** A write after which a webhook arrives, a document is decided and a mail leaves. */
async function works(installation: Installation, { api, till, path, portal, accountId }: NodeShop): Promise<void> {
  const name = `Cliente ${crypto.randomUUID()}`;
  await eventually(async () => (await api.post("/customers", { name })).status === 201, 30_000);
  const hasArrived = () => installation.receiver.on(path).some(({ body }) => body.data.object.name === name);
  await eventually(hasArrived, 30_000);
  const { id, ...data } = sale();
  expect((await till.push([{ type: "sale", id, data }])).status).toBe(200);
  const isDecided = () =>
    installation.ask(async (pool) => {
      const { rows } = await pool.query(
        "select from invoices where account_id = $1 and body->>'sale_id' = $2 and body->>'status' = 'issued'",
        [accountId, id],
      );
      return rows.length === 1;
    });
  await eventually(isDecided, 60_000);
  const asked = await portal.post("/account/email", {
    email: `otra-${accountId}@example.com`,
    current_password: password,
  });
  expect(asked.status).toBe(202);
  const hasLeft = () =>
    installation.ask(async (pool) => {
      const { rows } = await pool.query("select from mails where account_id = $1 and sent_at is not null", [accountId]);
      return rows.length > 0;
    });
  await eventually(hasLeft, 30_000);
}

async function signIn(url: string, { portal: { email } }: NodeShop): Promise<Answered> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/portal/api/session`, { method: "POST", headers, body: JSON.stringify({ email, password }) });
}

function isoDay(ahead: number): string {
  return new Date(Date.now() + ahead * day).toISOString().slice(0, 10).replaceAll("-", "");
}

async function readiness({ adminUrl }: Installation) {
  const response = await fetch(`${adminUrl}/readyz`);
  const { problems, warnings = [] } = (await response.json()) as { problems: string[]; warnings?: string[] };
  return { status: response.status, problems, warnings };
}

describe.skipIf(!hasNodeCommands)("on Citus", () => {
  test("shops on a living node notice nothing of a dead one", { timeout: 600_000 }, async () => {
    const database = await freshDatabase();
    await using installation = await newInstallation({ DATABASE_URL: database.url });
    let service = await installation.start();
    const { url, receiver } = installation;
    const shops = await makeNodeShops(database.url, { url, receiver, secretKey, perNode: 3 });
    const dead = shops[0]!.node;
    const isDead = ({ node }: NodeShop) => node === dead;
    const living = shops.find((shop) => !isDead(shop))!;
    try {
      for (const { what, status } of await askAll(shops, 0)) expect([what, status]).not.toEqual([what, 503]);
      expect(await failingPages(living)).toEqual([]);
      const healthy = await scrape(installation);

      // As on the first hour of a day: a later partition is still to be made, which takes all nodes.
      await installation.ask((pool) => pool.query(`drop table events_${isoDay(3)}`));
      await endNode(dead);
      const odd: string[] = [];
      for (let round = 1; round <= rounds; round++) {
        for (const { shop, what, status, retryAfter } of await askAll(shops, round)) {
          const isRight = isDead(shop) ? status === 503 && retryAfter !== null : status < 300;
          if (!isRight) odd.push(`round ${round}: ${what} on the ${isDead(shop) ? "dead" : "living"} node: ${status}`);
        }
      }
      expect(odd).toEqual([]);
      expect(await failingPages(living)).toEqual([]);
      await works(installation, living);
      expect((await signIn(url, living)).status).toBe(201);
      await eventually(async () => (await readiness(installation)).warnings.some((one) => one.includes(dead)), 30_000);
      expect(await readiness(installation)).toMatchObject({ status: 200, problems: [] });
      const broken = await scrape(installation);
      expect(broken.samples.get("mostrador_database_up")).toBe(1);
      expect(broken.samples.get("mostrador_database_nodes_away")).toBe(1);
      if (hasPromtool) expect(alertsProblem(healthy, broken, [alert], [alert])).toBe("");

      // A process that is started meanwhile serves the living too.
      expect(await service.stop()).toBe(0);
      service = await installation.start();
      await works(installation, shops.findLast((shop) => !isDead(shop))!);

      await startNode(dead);
      for (const shop of shops.filter(isDead)) await works(installation, shop);
      await eventually(async () => (await readiness(installation)).warnings.length === 0, 30_000);
      expect((await scrape(installation)).samples.get("mostrador_database_nodes_away")).toBe(0);
      const { code, stdout } = await mostrador(["verify"], { DATABASE_URL: database.url });
      expect([code, stdout]).toEqual([0, expect.stringContaining("todo coincide")]);
      expect(await service.stop()).toBe(0);
    } finally {
      await startNode(dead);
      await service.kill();
      await database.drop();
    }
  });
});
