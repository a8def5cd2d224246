import type { Client } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { recordAudit } from "../../accounts/record-audit.ts";
import { browserName } from "../browser-name.ts";
import type { Person } from "../person.ts";
import { endSessions } from "../session.ts";
import { tell } from "../told/tell.ts";
import { removeRecoveryCodes } from "./recovery-codes.ts";
import type { Stage } from "./stage.ts";
import { forgetBrowsers } from "./trusted-browser.ts";

/**
 * For whoever proved with her mail that the account is hers and has lost what she showed before: nothing of it counts from now on,
 * and whoever is signed in as her anywhere is not any more. She and the owners are told.
 */
export async function removeEveryFactor(
  deps: CoreDeps,
  client: Client,
  { person, stage }: { person: Person; stage: Stage },
): Promise<void> {
  const at = deps.clock.now();
  const accountId = stage.account_id;
  await client.query(sql`
    update factors set removed_at = ${at} where person_id = ${person.id} and removed_at is null`);
  await removeRecoveryCodes(client, person.id, at);
  await forgetBrowsers(client, person.id);
  await endSessions(client, person.id);
  const actor = { kind: "owner", sessionId: null, remoteAddress: stage.remote_address, personId: person.id } as const;
  await recordAudit(client, { accountId, at, action: "second_step.reset", details: { email: person.email }, actor });
  await tell(deps, client, {
    ...{ kind: "second_step_reset", accountId, actorId: person.id, at, about: {} },
    title: "se quitó un segundo paso con un código enviado al correo",
    lines: [
      `Persona: ${person.email}`,
      `Navegador: ${browserName(stage.user_agent)}`,
      ...(stage.remote_address === null ? [] : [`Dirección de internet: ${stage.remote_address}`]),
      "Se cerraron todas sus sesiones y ya no sirven sus aplicaciones, llaves y códigos de recuperación.",
    ],
  });
}
