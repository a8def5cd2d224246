import { instant, line, nullable, optional } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";

/**
 * Whether a customer takes advertising, since when, and where she said so. A record of somebody whom nobody asked has no
 * such field, whenever it was stored.
 */
export interface Consent {
  accepts_marketing?: boolean | undefined;
  accepts_marketing_at?: string | undefined;
  accepts_marketing_source?: string | undefined;
}

/** All three, named even where there is none. */
type KeptConsent = Record<"accepts_marketing", boolean | undefined> &
  Record<"accepts_marketing_at" | "accepts_marketing_source", string | undefined>;

const present = <T>(schema: object) => Type.Optional(Type.Unsafe<T | undefined>(schema));

export const consent = {
  accepts_marketing: present<boolean>(
    Type.Boolean({ description: "Si autorizó que le escriban con publicidad. Sin el campo, nadie le ha preguntado." }),
  ),
  accepts_marketing_at: present<string>(instant({ description: "Cuándo lo dijo." })),
  accepts_marketing_source: present<string>(
    Type.String({ description: "Dónde lo dijo, por ejemplo `Mostrador` o `Formulario web`." }),
  ),
};

export const newConsent = {
  accepts_marketing: optional(
    Type.Boolean({ description: "Si autorizó que le escriban con publicidad. Guarde la prueba en su sistema." }),
  ),
  accepts_marketing_at: optional(instant({ description: "Cuándo lo dijo; por omisión, ahora." })),
  accepts_marketing_source: optional(line(80, { description: "Dónde lo dijo." })),
};

export const consentChanges = {
  accepts_marketing: Type.Optional(
    nullable(
      Type.Boolean({ description: "`false` retira la autorización; `null`, como si nadie le hubiera preguntado." }),
    ),
  ),
  accepts_marketing_at: newConsent.accepts_marketing_at,
  accepts_marketing_source: newConsent.accepts_marketing_source,
};

/** What a register merges: none of it where nobody asked. */
export const consentDefaults: Record<keyof Consent, undefined> = {
  accepts_marketing: undefined,
  accepts_marketing_at: undefined,
  accepts_marketing_source: undefined,
};

type Sent = { [Name in keyof Consent]?: Consent[Name] | null };

/** As everything else is published: in UTC, with milliseconds. A zone may carry the last day of 9999 beyond what a date can say. */
function instantOf(text: string | null | undefined): string | undefined {
  const iso = text ? new Date(text).toISOString() : "";
  return iso.length === 24 ? iso : undefined;
}

/** After a write at an instant. An answer is as old as it says, or of now; without an answer there is neither date nor place. */
export function consentAfter(current: Consent, sent: Sent, at: string): KeptConsent {
  const accepts = sent.accepts_marketing === undefined ? current.accepts_marketing : sent.accepts_marketing;
  if (accepts === undefined || accepts === null) return { ...consentDefaults };
  const isNew = accepts !== current.accepts_marketing;
  const before = isNew ? {} : current;
  return {
    accepts_marketing: accepts,
    accepts_marketing_at: instantOf(sent.accepts_marketing_at) ?? before.accepts_marketing_at ?? at,
    accepts_marketing_source:
      sent.accepts_marketing_source === undefined
        ? before.accepts_marketing_source
        : (sent.accepts_marketing_source ?? undefined),
  };
}
