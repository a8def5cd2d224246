import type { Client } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { ApiError } from "../../../lib/errors.ts";
import { type Actor, recordAudit } from "../../accounts/record-audit.ts";
import type { Session } from "../session.ts";
import { tell, whereOf } from "../told/tell.ts";
import { type FactorKind, kindsOf } from "./factors.ts";
import { countRecoveryCodes, removeRecoveryCodes, renewRecoveryCodes } from "./recovery-codes.ts";
import { forgetBrowsers } from "./trusted-browser.ts";

const titles: Record<FactorKind, { added: string; removed: string; label: string }> = {
  totp: {
    added: "se agregó una aplicación de códigos",
    removed: "se quitó una aplicación de códigos",
    label: "Aplicación",
  },
  passkey: {
    added: "se agregó una llave de acceso",
    removed: "se quitó una llave de acceso",
    label: "Llave de acceso",
  },
};

/** What follows when a factor begins to count: recovery codes with the first, and a notice. `add` makes it count. */
export async function addFactor(
  deps: CoreDeps,
  session: Session,
  kind: FactorKind,
  add: (client: Client) => Promise<{ id: string; name: string }>,
  actor: Actor,
): Promise<{ id: string; recovery_codes: string[] | null }> {
  const at = deps.clock.now();
  const { personId } = session;
  await deps.partitions.ensure(at);
  const made = await transaction(deps.pool, async (client) => {
    await client.query(sql`select from people where id = ${personId} for update`);
    const { id, name } = await add(client);
    const { made_at } = await countRecoveryCodes(client, personId);
    const recovery_codes = made_at === null ? await renewRecoveryCodes(client, personId, at) : null;
    // Who just showed it need not show it again for what she does next.
    await client.query(sql`update portal_sessions set stepped_up_at = ${at} where id = ${session.id}`);
    await tell(deps, client, {
      ...{ kind: "factor_added", accountId: session.accountId, actorId: personId, at, about: { factor_id: id } },
      title: titles[kind].added,
      lines: [`${titles[kind].label}: ${name}`, ...whereOf(actor)],
    });
    const details = { factor_id: id, kind, name };
    await recordAudit(client, { accountId: session.accountId, at, action: "factor.added", details, actor });
    return { id, recovery_codes };
  });
  deps.mail?.emit();
  return made;
}

/** It stays for as long as somebody may say that it was not she who removed it. The last one takes the recovery codes along. */
export async function removeFactor(deps: CoreDeps, session: Session, id: string, actor: Actor): Promise<void> {
  const at = deps.clock.now();
  const { personId, accountId } = session;
  await deps.partitions.ensure(at);
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select from people where id = ${personId} for update`);
    const { rows } = await client.query<{ kind: FactorKind; name: string }>(sql`
      update factors set removed_at = ${at}
      where id = ${id} and person_id = ${personId} and confirmed_at is not null and removed_at is null
      returning kind, name`);
    const removed = rows[0];
    if (!removed) throw unknownFactor();
    if ((await kindsOf(client, personId)).length === 0) await removeRecoveryCodes(client, personId, at);
    await forgetBrowsers(client, personId);
    const { kind, name } = removed;
    await tell(deps, client, {
      ...{ kind: "factor_removed", accountId, actorId: personId, at, about: { factor_id: id } },
      title: titles[kind].removed,
      lines: [`${titles[kind].label}: ${name}`, ...whereOf(actor)],
    });
    const details = { factor_id: id, kind, name };
    await recordAudit(client, { accountId, at, action: "factor.removed", details, actor });
  });
  deps.mail?.emit();
}

export async function renameFactor(
  deps: CoreDeps,
  { personId, accountId }: Session,
  { id, name }: { id: string; name: string },
  actor: Actor,
): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(sql`
      update factors set name = ${name}
      where id = ${id} and person_id = ${personId} and confirmed_at is not null and removed_at is null`);
    if (rowCount === 0) throw unknownFactor();
    await recordAudit(client, { accountId, at, action: "factor.renamed", details: { factor_id: id, name }, actor });
  });
}

/** Ten new codes; those from before stop working. */
export async function makeCodesAnew(deps: CoreDeps, session: Session, actor: Actor): Promise<string[]> {
  const at = deps.clock.now();
  const { personId, accountId } = session;
  await deps.partitions.ensure(at);
  const codes = await transaction(deps.pool, async (client) => {
    await client.query(sql`select from people where id = ${personId} for update`);
    if ((await kindsOf(client, personId)).length === 0)
      throw new ApiError("NOT_FOUND", {
        message: "Los códigos de recuperación acompañan a un segundo paso. Agregue primero una aplicación o una llave.",
      });
    const made = await renewRecoveryCodes(client, personId, at);
    await tell(deps, client, {
      ...{ kind: "recovery_codes_made", accountId, actorId: personId, at, about: {} },
      title: "se hicieron códigos de recuperación nuevos",
      lines: ["Los anteriores ya no sirven.", ...whereOf(actor)],
    });
    await recordAudit(client, { accountId, at, action: "recovery_codes.made", details: {}, actor });
    return made;
  });
  deps.mail?.emit();
  return codes;
}

function unknownFactor(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "Ese segundo paso ya no está. Vuelva a abrir la página." });
}
