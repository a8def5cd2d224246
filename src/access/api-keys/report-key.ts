import type { Config } from "../../config.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { hashToken, isWellFormedToken } from "../../lib/token.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { securityNoticeMail } from "../../mail/templates.ts";
import { announceChange } from "../accounts/announce-change.ts";
import { recordAudit } from "../accounts/record-audit.ts";

export interface KeyReport {
  key: string;
  /** Where it was found. */
  url?: string | undefined;
}

type ReportDeps = CoreDeps & { config: Pick<Config, "environment" | "publicUrl">; access: { clear(): void } };

/** Revokes a key that somebody found where it must not be, and tells its owner. What is no key of ours changes nothing. */
export async function revokeReported(deps: ReportDeps, { key, url }: KeyReport, remoteAddress: string): Promise<void> {
  if (!isWellFormedToken(`mst_${deps.config.environment}_`, key)) return;
  const at = deps.clock.now();
  await deps.partitions.ensure(at);
  await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ id: string; account_id: string; name: string; last_four: string }>(sql`
      select id, account_id, name, last_four from api_keys where hash = ${hashToken(key)} and revoked_at is null for update`);
    const found = rows[0];
    if (!found) return;
    const { id, account_id: accountId, name, last_four } = found;
    await client.query(sql`update api_keys set revoked_at = ${at} where id = ${id}`);
    const actor = { kind: "stranger", sessionId: null, remoteAddress } as const;
    const details = { api_key_id: id, name, ...(url !== undefined && { url }) };
    await recordAudit(client, { accountId, at, action: "api_key.reported", details, actor });
    const mail = securityNoticeMail(deps.config.publicUrl, {
      title: "se revocó una clave de API que alguien encontró publicada",
      lines: [
        `Clave: ${name} (termina en ${last_four})`,
        `Dónde: ${url ?? "no se dijo"}`,
        "Cree otra, póngala donde solo su servidor la lea, y revise en el registro de solicitudes qué se hizo con la anterior.",
      ],
    });
    await queueMail(client, accountId, at, mail);
    await announceChange(client, "access");
  });
  deps.access.clear();
  deps.mail?.emit();
}
