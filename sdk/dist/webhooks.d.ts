import type { EventObjects } from "./contract.ts";
/** A delivery. Checking `type` narrows the type of `data.object`. Ignore types you do not know: new ones may be added. */
export type WebhookEvent = {
    [Type in keyof EventObjects]: {
        id: string;
        type: Type;
        created_at: string;
        /** The event's place among those of the account. Tests have none. */
        sequence?: number;
        api_version: string;
        data: {
            object: EventObjects[Type];
        };
    };
}[keyof EventObjects];
export interface VerifyOptions {
    /** How far the signature's time may be from the clock; 300 s by default. */
    toleranceSeconds?: number;
    /** The clock, in Unix seconds. */
    nowSeconds?: number;
}
/** The body exactly as received: JSON that was parsed and serialized again may differ. */
export type RawBody = string | Uint8Array | ArrayBuffer;
/**
 * Whether the service signed this body with this secret, recently. During a rotation the service signs with both secrets;
 * you can also pass both, in any order.
 */
export declare function verifyWebhook(rawBody: RawBody, header: string | null | undefined, secret: string | readonly string[], { toleranceSeconds, nowSeconds }?: VerifyOptions): Promise<boolean>;
/** Parses a delivery without verifying it: verify it first, or use receiveWebhook. */
export declare function parseWebhook(rawBody: RawBody): WebhookEvent;
/** Verifies and parses a delivery; throws WebhookSignatureError when the signature is not valid. */
export declare function receiveWebhook(rawBody: RawBody, header: string | null | undefined, secret: string | readonly string[], options?: VerifyOptions): Promise<WebhookEvent>;
/** Node 18 has Web Crypto in a module; everywhere else it is global. */
export declare function webCrypto(): Promise<typeof globalThis.crypto>;
