import type { Factor } from "../../access/people/second-step/factors.ts";
import type { StepKind } from "../../access/people/second-step/kinds.ts";
import type { SecuritySettings } from "../../access/people/second-step/security-settings.ts";
import type { BegunTotp } from "../../access/people/second-step/totp-factor.ts";
import type { TrustedBrowser } from "../../access/people/second-step/trusted-browser.ts";
import type { BellNotice } from "../../access/people/told/bell.ts";

/** Of the routes about how a person proves who she is, and what she is told of it. */
export interface DoorAnswers {
  /** When the password is not enough; otherwise 201 with the account. */
  "POST /session": { second_step: { id: string; kinds: StepKind[]; expires_at: Date } };
  "GET /notices": { object: "list"; data: BellNotice[]; unread: number };
  /** A new password is set with the code that was mailed; null when it was an act of somebody else. */
  "POST /objections": { email: string; reset: { reset_id: string; expires_at: Date } | null };
  "GET /security-settings": SecuritySettings;
  "PUT /security-settings": SecuritySettings;
  "POST /session/second-step/lost": { kinds: StepKind[] };
  "GET /second-step": {
    /** What its person may show now; empty without a factor. */
    kinds: StepKind[];
    factors: Factor[];
    recovery_codes: { left: number; made_at: Date | null };
    browsers: TrustedBrowser[];
    stepped_up_until: Date | null;
    /** Not where the portal is reached by an address instead of a name. */
    has_passkeys: boolean;
  };
  "POST /step-up": { stepped_up_until: Date };
  "POST /factors/totp": BegunTotp;
  "POST /factors/totp/:id/confirm": { id: string; recovery_codes: string[] | null };
  "POST /factors/passkeys": { id: string; recovery_codes: string[] | null };
  "POST /recovery-codes": { codes: string[] };
}
