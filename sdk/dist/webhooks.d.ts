import type { EventObjects } from "./contract.ts";
/** A delivery. Compare `type` and `data.object` has the type that goes with it; types of tomorrow may come too. */
export type WebhookEvent = {
    [Type in keyof EventObjects]: {
        id: string;
        type: Type;
        created_at: string;
        api_version: string;
        data: {
            object: EventObjects[Type];
        };
    };
}[keyof EventObjects];
export interface VerifyOptions {
    /** How far the signature's time may be from the clock: 300 s unless told otherwise. */
    toleranceSeconds?: number;
    /** The clock, in Unix seconds. */
    nowSeconds?: number;
}
/** The bytes exactly as they came: JSON that was parsed and written again is another text. */
export type RawBody = string | Uint8Array | ArrayBuffer;
/**
 * Whether this body was signed by the service with this secret, just now. During a rotation the service signs with both
 * secrets; you may also give both, in any order.
 */
export declare function verifyWebhook(rawBody: RawBody, header: string | null | undefined, secret: string | readonly string[], { toleranceSeconds, nowSeconds }?: VerifyOptions): Promise<boolean>;
/** The delivery, typed. It proves nothing by itself: verify first, or use receiveWebhook. */
export declare function parseWebhook(rawBody: RawBody): WebhookEvent;
/** Verifies and parses; throws WebhookSignatureError when the signature does not hold. */
export declare function receiveWebhook(rawBody: RawBody, header: string | null | undefined, secret: string | readonly string[], options?: VerifyOptions): Promise<WebhookEvent>;
/** Node 18 keeps Web Crypto in a module; everywhere else it is global. */
export declare function webCrypto(): Promise<typeof globalThis.crypto>;
