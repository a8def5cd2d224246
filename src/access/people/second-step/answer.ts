import type { Client } from "../../../db/pool.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { ApiError } from "../../../lib/errors.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import { recoveryCodeUsedMail } from "../../../mail/second-step-mails.ts";
import { recordAudit } from "../../accounts/record-audit.ts";
import { browserName } from "../browser-name.ts";
import type { Person } from "../person.ts";
import { checkPasskey } from "./passkeys.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";
import { spendTotp } from "./totp-factor.ts";

/** What somebody shows beside the password. */
export type StepAnswer =
  | { kind: "totp"; code: string }
  | { kind: "passkey"; credential: object }
  | { kind: "recovery_code"; code: string }
  | { kind: "mailed_code"; code: string };

export type FactorAnswer = Exclude<StepAnswer, { kind: "mailed_code" }>;

/**
 * Refuses an answer that is not right; its try was counted before. What must happen together with the change it allows is left to
 * `use`, in that change's transaction: a recovery code is not lost to a sign-in that fails.
 */
export async function checkFactor(
  deps: CoreDeps,
  { personId, purpose }: { personId: string; purpose: string },
  answer: FactorAnswer,
  triesLeft: number,
): Promise<{ use: (client: Client) => Promise<number | undefined> }> {
  const wrong = () =>
    new ApiError("CODE_INCORRECT", {
      param: "code",
      message:
        answer.kind === "totp"
          ? "El código no es correcto o ya se usó. Escriba el que su aplicación muestra ahora."
          : "Ese código de recuperación no existe o ya se usó. Escriba otro de su lista.",
      extra: { attempts_left: triesLeft },
    });
  switch (answer.kind) {
    case "totp":
      if (!(await spendTotp(deps, personId, answer.code))) throw wrong();
      return { use: async () => undefined };
    case "passkey":
      await checkPasskey(deps, { purpose, credential: answer.credential, personId });
      return { use: async () => undefined };
    case "recovery_code":
      return {
        async use(client) {
          const left = await spendRecoveryCode(client, personId, answer.code, deps.clock.now());
          if (left === undefined) throw wrong();
          return left;
        },
      };
  }
}

/** A recovery code may have been found on a desk: each use is told. */
export async function tellRecoveryCode(
  deps: CoreDeps,
  client: Client,
  {
    person,
    accountId,
    left,
    from,
  }: {
    person: Pick<Person, "id" | "email">;
    accountId: string;
    left: number;
    from: { remote_address: string | null; user_agent: string | null };
  },
): Promise<void> {
  const at = deps.clock.now();
  const details = { left };
  const actor = { kind: "owner", sessionId: null, remoteAddress: from.remote_address, personId: person.id } as const;
  await recordAudit(client, { accountId, at, action: "recovery_code.used", details, actor });
  const mail = recoveryCodeUsedMail(deps.config.publicUrl, {
    ...{ at, left, address: from.remote_address },
    browser: browserName(from.user_agent),
  });
  await queueMail(client, accountId, at, mail, person.email);
}
