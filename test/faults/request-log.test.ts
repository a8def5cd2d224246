import { expect, test } from "vitest";
import { requestLog } from "../../src/access/api-keys/request-log.ts";
import { newRequestId } from "../../src/lib/request-id.ts";
import { interfere, serverGone } from "../support/interfere.ts";
import { startService } from "../support/service.ts";

test("calls whose batch was committed without confirmation are stored once and do not block later ones", async () => {
  await using service = await startService();
  const { accountId, keyId } = await service.business();
  const { pool } = service.deps;
  const errors: Error[] = [];
  const log = requestLog(service.deps, (error) => errors.push(error));
  const details = () => ({ query: null, errorCode: null, requestHeaders: "{}", responseHeaders: "{}" });
  const note = (path: string) =>
    log.note({ accountId, keyId, requestId: newRequestId(), method: "GET", path, status: 200, ms: 1, details });

  note("/before");
  interfere(pool, "insert into request_log", async (run) => {
    await run();
    return serverGone();
  });
  await log.flush();
  note("/after");
  await log.flush();
  const { rows } = await pool.query("select path from request_log where account_id = $1 order by path desc", [
    accountId,
  ]);
  expect(rows).toEqual([{ path: "/before" }, { path: "/after" }]);
  expect(errors).toHaveLength(1);
  await log.stop();
});

test("of more calls than are kept with their headers, the rest have their line", async () => {
  await using service = await startService();
  const { accountId, keyId } = await service.business();
  const log = requestLog(service.deps, (error) => expect.unreachable(error.message));
  const details = () => ({
    query: "limit=1",
    errorCode: null,
    requestHeaders: '{"accept":"*/*"}',
    responseHeaders: "{}",
  });
  for (let i = 0; i < 2_003; i++)
    log.note({
      accountId,
      keyId,
      requestId: newRequestId(),
      method: "GET",
      path: `/${i}`,
      status: 200,
      ms: 1,
      details,
    });
  await log.stop();
  const { rows } = await service.deps.pool.query(
    `select request_headers::text as request, response_headers::text as response, query, count(*)::int as calls
     from request_log where account_id = $1 group by 1, 2, 3 order by calls`,
    [accountId],
  );
  expect(rows).toEqual([
    { request: null, response: null, query: null, calls: 3 },
    { request: '{"accept":"*/*"}', response: "{}", query: "limit=1", calls: 2_000 },
  ]);
});
