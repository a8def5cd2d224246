import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Entry } from "../../register/protocol.ts";
import { Refusal } from "../../register/protocol.ts";
import { syncClient } from "../../register/sync-client.ts";
import { newCashier } from "../../simulator/cashier.ts";
import { newChance } from "../../simulator/chance.ts";
import { openRegister, type Register } from "../../simulator/register.ts";
import { starterCatalog } from "../../simulator/starter-catalog.ts";
import { type Answer, type ApiClient, apiClient } from "./client.ts";
import { eventually } from "./eventually.ts";
import type { Installation } from "./installation.ts";
import type { Business } from "./service.ts";

/** What a client was told of a record, from its creation to its last change. */
export interface AckedRecord {
  kind: "customer" | "product";
  id: string;
  key: string;
  /** The text of each version that was acknowledged, in order. */
  versions: string[];
}

/** What the receiver recorded of one delivery. */
export interface Arrival {
  eventId: string;
  times: number;
}

/** Concurrent clients, registers and readers, with everything that they were told. */
export interface MixedLoad extends AsyncDisposable {
  /** Number of acknowledged operations so far. */
  acked: { shop: number; office: number; registers: number };
  acknowledged: { shop: AckedRecord[]; office: AckedRecord[] };
  /** Clean refusals: 503 with Retry-After. */
  refusals: number;
  /** Responses that no fault excuses. */
  odd: string[];
  /** The event ids in the order in which a client that follows the log saw them. */
  followed: { shop: string[]; office: string[] };
  arrivals: Map<string, Arrival>;
  /** The registers' journals; complete once the load has ended. */
  books(): Entry[];
  /** Resolves once this many more operations of both businesses, and one of a register, were acknowledged. */
  more(count: number, withinMs: number): Promise<void>;
  /** Clients and registers finish what they began, until it is acknowledged; the readers continue. */
  end(): Promise<void>;
  /** The readers read to the end of the log and stop. */
  endReading(): Promise<void>;
}

export interface LoadOptions {
  seed: number;
  /** How long each client pauses between two operations. */
  thinkMs?: number;
  /** Accounts that others write to: their deliveries are recorded too. */
  others?: readonly string[];
}

const clientsEach = 4;
const registerNames = ["Caja 1", "Caja 2"];
const retryMs = 20;
/** More records than this would show nothing new. */
const mostOdd = 20;

/** What a load talks to. */
export type LoadTarget = Pick<Installation, "url" | "shop" | "office" | "receiver" | "codes">;

export async function startLoad(
  installation: LoadTarget,
  { seed, thinkMs = 25, others = [] }: LoadOptions,
): Promise<MixedLoad> {
  const { url, shop, office, receiver } = installation;
  const folder = await mkdtemp(join(tmpdir(), "mostrador-load-"));
  let isOn = true;
  let isRead = true;
  /** After a failed test, no client may keep trying. */
  const giveUp = (): boolean => isAbandoned || load.odd.length > mostOdd;
  let isAbandoned = false;
  const load: Omit<MixedLoad, "books" | "more" | "end" | "endReading" | keyof AsyncDisposable> = {
    acked: { shop: 0, office: 0, registers: 0 },
    acknowledged: { shop: [], office: [] },
    refusals: 0,
    odd: [],
    followed: { shop: [], office: [] },
    arrivals: new Map(),
  };

  for (const accountId of [shop.accountId, office.accountId, ...others]) {
    receiver.answers.set(`/${accountId}`, ({ deliveryId, body }, response) => {
      const known = load.arrivals.get(deliveryId);
      load.arrivals.set(deliveryId, { eventId: body.id, times: (known?.times ?? 0) + 1 });
      // Hours of deliveries would not fit into memory.
      receiver.received.length = 0;
      response.writeHead(200).end();
    });
  }

  /** One attempt: the response, or undefined when it must be retried. */
  async function attempt(send: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await send();
      if (answer.status < 300 || isStale(answer)) return answer;
      const isPassing = answer.status === 503 || answer.status === 409;
      if (isPassing && Number(answer.headers.get("retry-after")) > 0) load.refusals += 1;
      else load.odd.push(`${answer.status} ${answer.text}`);
    } catch (error) {
      // fetch's error for a connection that was refused or broke.
      if (!(error instanceof TypeError)) load.odd.push(String(error));
    }
    await delay(retryMs);
    return undefined;
  }

  async function insist(send: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await attempt(send);
      if (answer) return answer;
      if (giveUp()) throw new Error(load.odd.join("\n"));
    }
  }

  const clients = { shop: clientOf(url, shop), office: clientOf(url, office) };

  async function integrate(who: "shop" | "office", number: number): Promise<void> {
    const api = clients[who];
    for (let i = 0; isOn; i++) {
      const kind = who === "office" && i % 3 === 2 ? "product" : "customer";
      const key = `${who}-${number}-${i}`;
      const wish = kind === "product" ? { name: key, base_price: 1000, initial_stock: 5 } : { name: key };
      const made = await insist(() => api.post(`/${kind}s`, wish, { "idempotency-key": key }));
      const record: AckedRecord = { kind, id: made.body.id, key, versions: [made.text] };
      load.acknowledged[who].push(record);
      load.acked[who] += 1;
      // Registers may also edit the shop's customers; only the office's are changed by one client alone.
      if (kind === "customer" && who === "office") await edit(api, record);
      await delay(thinkMs);
    }
  }

  /** Changes a record twice. A change whose response was lost is recognized by its tag and not repeated. */
  async function edit(api: ApiClient, record: AckedRecord): Promise<void> {
    const path = `/customers/${record.id}`;
    let tag = (await insist(() => api.get(path))).headers.get("etag")!;
    for (const phone of ["300 000 0001", "300 000 0002"]) {
      let answer = await insist(() => api.patch(path, { phone }, { "if-match": tag }));
      if (isStale(answer)) answer = await insist(() => api.get(path));
      if (answer.body.phone !== phone) load.odd.push(`${record.key} was changed by an unknown writer: ${answer.text}`);
      tag = answer.headers.get("etag")!;
      record.versions.push(answer.text);
      load.acked.office += 1;
    }
  }

  /** Follows the log by its cursor, and continues from there after every fault. */
  async function follow(who: "shop" | "office"): Promise<void> {
    for (let cursor = ""; ; ) {
      const isLast = !isRead;
      const page = await insist(() => clients[who].get(`/events?order=asc&limit=100${cursor}`));
      for (const { id } of page.body.data) load.followed[who].push(id);
      if (page.body.next_cursor !== null) cursor = `&starting_after=${encodeURIComponent(page.body.next_cursor)}`;
      if (page.body.has_more) continue;
      if (isLast) return;
      await delay(50);
    }
  }

  const registers: Register[] = [];
  const chance = newChance(seed);

  async function untilDone<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const isClean = error instanceof TypeError || (error instanceof Refusal && error.status === 503);
        if (!isClean) load.odd.push(String(error));
        if (giveUp()) throw error;
        await delay(retryMs);
      }
    }
  }

  async function openDesk(name: string): Promise<Register> {
    const newCode = async () => installation.codes.pop()!;
    const options = { folder: join(folder, name), name, client: syncClient(url), newCode, now: () => new Date() };
    const register = await untilDone(() => openRegister(options));
    registers.push(register);
    return register;
  }

  async function upload(register: Register): Promise<void> {
    while (register.pending() > 0) {
      const before = register.pending();
      await untilDone(() => register.push());
      load.acked.registers += before - register.pending();
    }
  }

  async function sellAt(register: Register): Promise<void> {
    const cashier = newCashier(register, chance, () => new Date());
    while (isOn) {
      for (let i = 0; i < 3; i++) cashier.act();
      await upload(register);
      while (await untilDone(() => register.pull(0)));
      await delay(10 * thinkMs);
    }
    cashier.closeShift();
    await upload(register);
  }

  const first = await openDesk(registerNames[0]!);
  first.record(starterCatalog());
  await upload(first);
  for (const name of registerNames.slice(1)) await openDesk(name);
  for (const register of registers) while (await untilDone(() => register.pull(0)));

  const working = Promise.all([
    ...Array.from({ length: clientsEach }, (_, number) => integrate("shop", number)),
    ...Array.from({ length: clientsEach }, (_, number) => integrate("office", number)),
    ...registers.map(sellAt),
  ]);
  const reading = Promise.all([follow("shop"), follow("office")]);
  working.catch(() => {});
  reading.catch(() => {});
  return Object.assign(load, {
    books: () => registers.flatMap((register) => register.allEntries()),
    async more(count: number, withinMs: number) {
      const from = { ...load.acked };
      const isMore = ({ acked }: typeof load) =>
        acked.shop >= from.shop + count && acked.office >= from.office + count && acked.registers > from.registers;
      await eventually(() => {
        if (load.odd.length > 0) throw new Error(load.odd.join("\n"));
        return isMore(load);
      }, withinMs);
    },
    async end() {
      isOn = false;
      await working;
    },
    async endReading() {
      isRead = false;
      await reading;
    },
    async [Symbol.asyncDispose]() {
      isOn = false;
      isRead = false;
      isAbandoned = true;
      await Promise.allSettled([working, reading]);
      for (const register of registers) register.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** The record is not as its client last saw it. */
function isStale({ status, body }: Answer): boolean {
  return status === 409 && body.error.code === "CONFLICT";
}

function clientOf(url: string, { key }: Business): ApiClient {
  return apiClient(url, { authorization: `Bearer ${key}` });
}
