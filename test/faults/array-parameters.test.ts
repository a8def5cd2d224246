import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { products } from "../../src/business/products/resource.ts";
import { bytesArray, instantArray, intArray, jsonArray, plainArray, textArray } from "../../src/db/arrays.ts";
import { sendPacket } from "../../src/db/packet.ts";
import { putRecords, putRow } from "../../src/engine/resources/put-records.ts";
import type { Resource } from "../../src/engine/resources/resource.ts";
import { productBody } from "../support/records.ts";
import { type Service, startService } from "../support/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const text = fc.string({ unit: "grapheme", maxLength: 20 }).filter((one) => !one.includes("\0"));
const list = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 6 });

test("every array arrives as it was sent", async () => {
  const { pool } = service.deps;
  const instant = fc.date({ min: new Date("1900-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        texts: list(fc.option(text)),
        pieces: list(list(text)),
        jsons: list(fc.option(fc.jsonValue())),
        bytes: list(fc.uint8Array({ maxLength: 9 })),
        ints: list(list(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))),
        instants: list(instant),
        flags: list(fc.option(fc.boolean())),
      }),
      async ({ texts, pieces, jsons, bytes, ints, instants, flags }) => {
        const { rows } = await pool.query(
          `select $1::text[] as texts, $2::text[] as pieces, $3::json[]::text[] as jsons, $4::bytea[] as bytes,
             $5::int[] as ints, $6::timestamptz[] as instants, $7::boolean[] as flags`,
          [
            textArray(texts),
            textArray(pieces),
            jsonArray(jsons.map((one) => (one === null ? null : JSON.stringify(one)))),
            bytesArray(bytes),
            intArray(ints),
            instantArray(instants),
            plainArray(flags),
          ],
        );
        expect(rows[0]).toEqual({
          texts,
          pieces: pieces.map((one) => one.join("")),
          jsons: jsons.map((one) => (one === null ? null : JSON.stringify(one))),
          bytes: bytes.map((one) => Buffer.from(one)),
          ints: ints.flat(),
          instants,
          flags,
        });
      },
    ),
    { numRuns: 100 },
  );
});

test("records that are stored together become the same rows as records stored alone", async () => {
  const { pool } = service.deps;
  const { accountId } = await service.business();
  const resource = products as unknown as Resource;
  const at = new Date().toISOString();
  const skus = [null, "", 'a"b', "c\\d", "{e,f}", "null", " ñ ", "🥛"];
  const records = skus.map((sku, i) => {
    const body = productBody(at, {
      sku,
      name: sku ?? "Café",
      id: randomUUID(),
      ...(i % 3 === 0 && { deleted_at: at }),
    });
    return { body, stock_milli: i - 3, cost_milli: 0, cost_value: "0", declared_cost: `${i}.25` };
  });
  const rowsOf = (ids: readonly string[]) =>
    records.map((record, i) =>
      putRow(resource, accountId, { seq: i + 1, isNew: true }, {
        ...record,
        body: { ...record.body, id: ids[i]! },
      } as never),
    );
  const [alone, together] = [records.map(() => randomUUID()), records.map(() => randomUUID())];
  for (const row of rowsOf(alone)) await pool.query(putRecords(resource, [row]));
  await pool.query(putRecords(resource, rowsOf(together)));
  const stored = async (ids: readonly string[]) => {
    const { rows } = await pool.query(
      "select to_jsonb(p) - 'id' - 'body' as rest, body->>'sku' as sku from products p where id = any($1) order by seq",
      [ids],
    );
    return rows;
  };
  expect(await stored(alone)).toHaveLength(skus.length);
  expect(await stored(together)).toEqual(await stored(alone));
});

test("a packet with a value that cannot be sent fails, and its connection goes on", async () => {
  const { pool } = service.deps;
  const client = await pool.connect();
  const unsendable = {
    toPostgres() {
      throw new Error("no value");
    },
  };
  const statements = [[1], [unsendable], [3]].map((values) => ({ text: "select $1::int as n", values }));
  await expect(sendPacket(client, statements)).rejects.toThrow("no value");
  const [one, two] = await sendPacket(client, [
    { text: "select $1::int as n", values: [1] },
    { name: "n", text: "select $1::int + 1 as n", values: [1] },
  ]);
  expect([one!.rows, two!.rows]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  client.release();
});
