import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { withAccountLock } from "../access/accounts/account-lock.ts";
import { recordAudit, theOperator } from "../access/accounts/record-audit.ts";
import { zipOf } from "../lib/zip.ts";
import { businessArchive } from "../privacy/business/archive.ts";
import { closeAccount } from "../privacy/business/close.ts";
import { bogotaDate } from "../taxes/bogota-time.ts";
import { accountId } from "./account.ts";
import { type Command, required, UsageError, word } from "./command.ts";
import { withDatabase } from "./with-database.ts";

export const accountExport: Command = {
  name: "account export",
  summary: "Guarda en un archivo todo lo de un negocio, en JSON Lines",
  usage: "<id> --out <archivo.zip>",
  takes: 1,
  options: { out: "dónde se guarda; no reemplaza un archivo que ya existe" },
  async run(invocation) {
    const id = accountId(word(invocation, 0, "el id de la cuenta"));
    const out = required(invocation, "out");
    await withDatabase(invocation.config, async (deps) => {
      const entry = { accountId: id, at: deps.clock.now(), action: "account.export", details: {} } as const;
      await withAccountLock(deps, id, (client) => recordAudit(client, { ...entry, actor: theOperator }));
      const archive = zipOf(businessArchive(deps.pool, id));
      await pipeline(Readable.from(archive), createWriteStream(out, { flags: "wx", mode: 0o600 }));
    });
    invocation.out.result({ file: out }, `Guardado en ${out}.`);
  },
};

export const accountClose: Command = {
  name: "account close",
  summary:
    "Cierra un negocio: cajas y claves paran, y sus datos se van tras CLOSED_ACCOUNT_DAYS; account set --active true lo deshace",
  usage: "<id> --yes",
  takes: 1,
  flags: { yes: "confirma el cierre" },
  async run(invocation) {
    const id = accountId(word(invocation, 0, "el id de la cuenta"));
    if (invocation.options.yes !== true) throw new UsageError("Agregue --yes: el negocio deja de vender de inmediato.");
    const { closedAccountDays: days } = invocation.config;
    const goes = await withDatabase(invocation.config, async (deps) => {
      const now = deps.clock.now();
      return withAccountLock(deps, id, async (client) => {
        const goesAt = await closeAccount(client, id, { now, days, actor: theOperator });
        const details = { data_goes_at: goesAt.toISOString() };
        await recordAudit(client, { accountId: id, at: now, action: "account.close", details, actor: theOperator });
        return goesAt;
      });
    });
    invocation.out.result({ id, data_goes_at: goes }, `Cerrado. Sus datos se van el ${bogotaDate(goes)}.`);
  },
};
