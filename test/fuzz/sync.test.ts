import { test } from "vitest";
import type { Chance } from "../../simulator/chance.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { recordTypes } from "../../src/api/sync/protocol.ts";
import { readsAs, readsAsRecord } from "../../src/api/sync/push/shapes.ts";
import type { Till } from "../support/register.ts";
import { startService } from "../support/service.ts";
import { syncShape } from "../support/sync-shapes.ts";
import { campaign, plan, type Speaker, type Target } from "./campaign.ts";
import { deep, type FuzzedRequest, type FuzzedRoute, fuzzedRequest } from "./requests.ts";
import { rounds } from "./rounds.ts";
import { routesOf } from "./routes-of.ts";
import { nearlyValid, type Vocabulary, validValue } from "./schema-values.ts";
import { type TwinShop, twinShops } from "./twin-shops.ts";

// biome-ignore lint/suspicious/noExplicitAny: a body under attack is read as data
type Json = any;

/** A register of one of the shops. It numbers what it pushes, so it mostly waits for its own responses. */
interface Register extends Speaker {
  shop: TwinShop;
  till: Till;
  /** Valid enrolment codes for more registers of this shop. */
  codes: string[];
  cursors: string[];
}

// Half as many as for the other APIs: each may carry twenty records.
test.each(rounds(plan.requests / 2))(
  "no request of a register, seed %i, fails, leaks or gets an undocumented response",
  async (seed, count) => {
    await using service = await startService();
    const twins = await twinShops(service, 4);
    const registers = twins.shops.flatMap((shop) =>
      shop.tills.map(
        (till): Register => ({
          shop,
          till,
          foreignMarker: shop.foreignMarker,
          turn: Promise.resolve(),
          codes: [],
          cursors: [],
        }),
      ),
    );
    const routes = routesOf(service.app.syncRoutes).map((route) => ({ ...route, weight: weightOf(route) }));
    const target: Target<Register> = {
      name: "sync",
      baseUrl: service.baseUrl,
      speakers: registers,
      routes,
      make(route, register, chance) {
        const { shop, till, codes, cursors } = register;
        const foreign = chance.pick(registers).cursors;
        const words: Vocabulary = {
          ids: twins.ids,
          marker: shop.marker,
          known: {
            wait: [0, 0, 0, 1],
            cursor: ["", ...cursors, ...foreign],
            ...(codes.length > 0 && { code: codes }),
          },
        };
        const credential: [string, string][] = chance.happens(0.01) ? [] : [["Authorization", `Bearer ${till.token}`]];
        const request = fuzzedRequest(route, chance, { credential, words });
        // A wait of 1 s shows as much as one of 25 s.
        request.target = request.target.replace(/wait=\d+/, (given) => (given === "wait=1" ? given : "wait=0"));
        if (route.path.endsWith("/push") && chance.happens(0.8)) request.body = pushed(register, chance, words);
        return request;
      },
      check(request, answer) {
        if (answer.status < 300 && request.method !== "HEAD") syncShape(request.target, answer.text);
      },
      async after(request, answer, register) {
        await learn(
          request,
          answer.status,
          answer.text && answer.status < 500 ? JSON.parse(answer.text) : {},
          register,
        );
      },
      async refill() {
        for (const shop of twins.shops) {
          const { code } = await createEnrolmentCode(service.deps, { accountId: shop.accountId, name: shop.marker });
          for (const register of registers) if (register.shop === shop) register.codes = [code];
        }
      },
    };
    await campaign(target, seed, count);
  },
  600_000,
);

function weightOf({ path }: FuzzedRoute): number {
  if (path.endsWith("/push")) return 6;
  return path.endsWith("/changes") ? 3 : 0.4;
}

/** A batch of records under the register's next numbers, each valid, almost valid or garbage. */
function pushed({ till }: Register, chance: Chance, words: Vocabulary): Buffer {
  let number = till.next;
  const records = Array.from({ length: chance.pick([1, 1, 2, 5, 20]) }, () => {
    const record = recordOf(chance, words);
    return { ...record, device_seq: number++ };
  });
  if (chance.happens(0.05)) records.push({ ...records[0]!, id: chance.pick(words.ids) });
  if (chance.happens(0.03)) for (const record of records) record.device_seq += chance.pick([-3, -1, 1, 1e6]);
  const sent_at = new Date(Date.now() - chance.pick([0, 0, 3_600_000, -9e11])).toISOString();
  const text = JSON.stringify({ sent_at, records });
  if (!chance.happens(0.04)) return Buffer.from(text);
  return Buffer.from(
    text.replace(
      '"data":{',
      `"data":{"deep":${chance.pick([deep("[", "]", 60_000, ""), deep('{"a":', "}", 40_000, "1"), "1e999"])},`,
    ),
  );
}

function recordOf(chance: Chance, words: Vocabulary): Json {
  const type = chance.pick(recordTypes);
  const record = validValue(readsAsRecord.schema, chance, words) as Json;
  const data = validValue(readsAs[type].schema, chance, words);
  const valid = { ...record, type, op: chance.happens(0.85) ? "upsert" : "delete", data };
  if (chance.happens(0.5)) valid.changed = chance.happens(0.5) ? null : Object.keys(data as object);
  if (chance.happens(0.75)) return valid;
  const spoilt = nearlyValid(valid, chance, words);
  return typeof spoilt === "object" && spoilt !== null && !Array.isArray(spoilt) ? spoilt : { type, data: spoilt };
}

/** A register continues from the responses: the next number, a newer token, a position in the feed. */
async function learn(request: FuzzedRequest, status: number, body: Json, { till, cursors }: Register): Promise<void> {
  if (status === 200 && typeof body.acked_seq === "number") till.next = Math.max(till.next, body.acked_seq + 1);
  if (status === 200 && typeof body.cursor === "string") cursors.splice(chanceless(cursors), 1, body.cursor);
  if (body.error?.code === "DEVICE_SEQ_GAP") till.next = body.error.expected;
  if (body.error?.code === "DEVICE_FORKED") till.next += 1;
  if (status === 201 && request.target.startsWith("/sync/v1/token")) till.token = body.token;
}

/** Keeps the first few positions and the newest one. */
function chanceless(cursors: readonly string[]): number {
  return Math.min(cursors.length, 5);
}
