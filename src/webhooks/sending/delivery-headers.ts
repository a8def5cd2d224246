import { signatureHeader } from "../endpoints/signature.ts";

/** The headers that every delivery carries besides Content-Type, as the API reference names them. */
export const headerNames = {
  signature: "Service-Signature",
  eventId: "Service-Event-Id",
  eventType: "Service-Event-Type",
  deliveryId: "Service-Delivery-Id",
  userAgent: "User-Agent",
} as const;

/** Marks the example of an event that the owner sent from the portal. Real events and webhook.test do not carry it. */
export const testHeader = "Service-Test";

export const userAgentName = "Service-Webhooks/1.0";

export function userAgentOf(publicUrl: string): string {
  return `${userAgentName} (+${publicUrl}/docs)`;
}

export type HeaderFields = Record<Exclude<keyof typeof headerNames, "signature">, string> & { isExample: boolean };

export interface Signing {
  secrets: readonly string[];
  at: Date;
}

/** Without `signing`, the signature is left out: the history cannot show one whose secret is gone. */
export function deliveryHeaders(body: string, fields: HeaderFields, signing: Signing | undefined) {
  return {
    "Content-Type": "application/json",
    ...(signing && {
      [headerNames.signature]: signatureHeader(body, signing.secrets, Math.floor(signing.at.getTime() / 1000)),
    }),
    [headerNames.eventId]: fields.eventId,
    [headerNames.eventType]: fields.eventType,
    [headerNames.deliveryId]: fields.deliveryId,
    [headerNames.userAgent]: fields.userAgent,
    ...(fields.isExample && { [testHeader]: "true" }),
  };
}
