import { ofAllAccounts } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { type Notice, recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { dayText } from "../../taxes/words.ts";
import { type CertificateStage, certificateStage } from "../profile/certificate.ts";

const messages: Record<CertificateStage, (day: string) => string> = {
  ending: (day) =>
    `El certificado con que se firman sus documentos vence el ${day}. Pida el nuevo a su entidad de certificación, súbalo donde su proveedor y escriba su fecha en el perfil fiscal.`,
  urgent: (day) =>
    `Quedan pocos días: el certificado con que se firman sus documentos vence el ${day}. Después la DIAN los rechaza. Suba el nuevo donde su proveedor y escriba su fecha en el perfil fiscal.`,
  ended: (day) =>
    `El certificado con que se firman sus documentos venció el ${day}: la DIAN los rechaza. Suba el nuevo donde su proveedor, escriba su fecha en el perfil fiscal y reenvíe los que quedaron pendientes.`,
};

/** Tells owners whose certificate ends: a month before, a week before, and when it has ended. Returns how many. */
export async function tellCertificates(pool: Pool, now: Date): Promise<number> {
  const today = bogotaDate(now);
  const rows = await ofAllAccounts(pool, async (part) => {
    const text = `
      select f.account_id, f.settings->>'certificate_until' as until from fiscal_profiles f
      where f.documents = 'electronic' and f.settings->>'certificate_until' is not null and ${part.of("f.account_id", 1)}`;
    return (await pool.query<{ account_id: string; until: string }>(prepared(text, [...part.values]))).rows;
  });
  let told = 0;
  for (const { account_id, until } of rows) {
    const stage = certificateStage(until, today);
    if (!stage) continue;
    const subject = `${until} ${stage}`;
    const { rowCount } = await pool.query(sql`
      select 1 from notices where account_id = ${account_id} and kind = 'certificate_ending' and subject = ${subject} limit 1`);
    if (rowCount !== 0) continue;
    const notice: Notice = { kind: "certificate_ending", subject, message: messages[stage](dayText(until)) };
    await pool.query(recordNotices(account_id, now, today, [notice]));
    told += 1;
  }
  return told;
}
