import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { withAccountLock } from "../access/accounts/account-lock.ts";
import { recordAudit, theOperator } from "../access/accounts/record-audit.ts";
import { sql } from "../db/sql.ts";
import { second } from "../lib/clock.ts";
import { zipOf } from "../lib/zip.ts";
import { requestErasure } from "../privacy/erase/request.ts";
import { runErasures } from "../privacy/erase/run.ts";
import { personArchive } from "../privacy/export/archive.ts";
import { findPerson } from "../privacy/person.ts";
import { accountId } from "./account.ts";
import { type Command, type Invocation, required, UsageError, word } from "./command.ts";
import { type CommandDeps, withDatabase } from "./with-database.ts";

const usage = "<cuenta> --who <documento o correo>";
const who = "el documento o el correo de la persona";

export const personExport: Command = {
  name: "person export",
  summary: "Guarda en un archivo todo lo que un negocio tiene de una persona (Ley 1581)",
  usage: `${usage} --out <archivo.zip>`,
  takes: 1,
  options: { who, out: "dónde se guarda; no reemplaza un archivo que ya existe" },
  async run(invocation) {
    const account = accountOf(invocation);
    const wanted = personIn(invocation);
    const out = required(invocation, "out");
    const found = await withDatabase(invocation.config, async (deps) => {
      const person = await findPerson(deps.pool, account, wanted);
      const now = deps.clock.now();
      await withAccountLock(deps, account, (client) =>
        recordAudit(client, {
          ...{ accountId: account, at: now, action: "person.export", actor: theOperator },
          details: { customer_ids: person.customerIds },
        }),
      );
      const about = { business: await nameOf(deps, account), wanted, now };
      const archive = zipOf(personArchive(deps.pool, account, person, about));
      await pipeline(Readable.from(archive), createWriteStream(out, { flags: "wx", mode: 0o600 }));
      return person;
    });
    const customers = found.customerIds.length;
    invocation.out.result(
      { file: out, customers },
      `Guardado en ${out}: ${customers} clientes. Entréguelo solo a ella.`,
    );
  },
};

export const personErase: Command = {
  name: "person erase",
  summary: "Borra los datos de una persona en un negocio, menos los documentos que la ley conserva (Ley 1581)",
  usage: `${usage} --yes`,
  takes: 1,
  options: { who },
  flags: { yes: "sin esto solo dice qué encontró: no se puede deshacer" },
  async run(invocation) {
    const account = accountOf(invocation);
    const wanted = personIn(invocation);
    const isSure = invocation.options.yes === true;
    const found = await withDatabase(invocation.config, async (deps) => {
      const person = await findPerson(deps.pool, account, wanted);
      if (!isSure) return person;
      const now = deps.clock.now();
      await withAccountLock(deps, account, async (client) => {
        const { id, customers } = await requestErasure(client, account, wanted, now);
        const details = { erasure_id: id, customers };
        await recordAudit(client, { accountId: account, at: now, action: "person.erase", details, actor: theOperator });
      });
      // The log of requests that were just made is waited for.
      while ((await runErasures(deps, { onlyAccount: account })) === 0) await delay(second);
      return person;
    });
    const customers = found.customerIds.length;
    const what = `${customers} clientes y ${found.saleIds.length} tiquetes por correo`;
    invocation.out.result(
      { customers, erased: isSure },
      isSure
        ? `Borrado: ${what}. Las cajas lo olvidan cuando se conecten.`
        : `Encontrado: ${what}. Para borrarlo agregue --yes.`,
    );
  },
};

function accountOf(invocation: Invocation): string {
  return accountId(word(invocation, 0, "el id de la cuenta"));
}

function personIn(invocation: Invocation): string {
  const wanted = required(invocation, "who").trim();
  if (wanted.length < 5) throw new UsageError("--who debe ser un documento o un correo completos.");
  return wanted;
}

async function nameOf({ pool }: CommandDeps, account: string): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(sql`select name from accounts where id = ${account}`);
  if (!rows[0]) throw new UsageError(`No existe la cuenta ${account}. Véalas con: npx mostrador account list`);
  return rows[0].name;
}
