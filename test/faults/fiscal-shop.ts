import { pino } from "pino";
import { sales } from "../../src/business/sales/resource.ts";
import { readConfig } from "../../src/config.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { issueDocuments } from "../../src/fiscal/documents/issue-documents.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { makeDeps } from "../../src/operations/make-deps.ts";
import { saleBody } from "../support/records.ts";

// A process to be killed: a shop that sells, sends or does both, and prints what is committed.

const [mode, accountId] = process.argv.slice(2) as [string, string];
const config = readConfig(process.env);
const pool = createPool({ url: config.databaseUrl! });
const deps = makeDeps(pool, config, { log: pino({ level: "silent" }) });
const say = (text: string) => process.stdout.write(`${text}\n`);

if (mode === "hold") {
  await writing(deps, accountId, async (write) => {
    await issueDocuments(deps, write, [saleBody(write.at.toISOString())]);
    say("numbered");
    await new Promise(() => setTimeout(() => {}, 60_000));
  });
}
if (mode === "work" || mode === "both") {
  fiscalWorker(deps, authorityFor(deps), { leaseMs: 300 }).start();
  say("working");
}
while (mode === "both") {
  const [sale] = await writing(deps, accountId, async (write) => {
    const stored = await issueDocuments(deps, write, [saleBody(write.at.toISOString())]);
    for (const body of stored) write.put(sales, { body });
    return stored;
  });
  say(sale!.id);
}
