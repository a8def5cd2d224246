import type { ErrorCode } from "./contract.ts";
/** A field of the request that the service rejected. */
export interface FieldProblem {
    param: string;
    message: string;
}
export interface ErrorDetails {
    code: ErrorCode;
    message: string;
    status: number;
    param?: string | undefined;
    requestId?: string | undefined;
    docUrl?: string | undefined;
    errors?: FieldProblem[] | undefined;
    /** The complete error as the service sent it. */
    body?: Record<string, unknown> | undefined;
    cause?: unknown;
}
/**
 * An error response, or a failure to reach the service; then `status` is 0 and `code` is `CONNECTION_ERROR`. Decide by
 * `code`, which never changes; `message` is for people.
 */
export declare class MostradorError extends Error {
    readonly name = "MostradorError";
    readonly code: ErrorCode;
    readonly status: number;
    readonly param: string | undefined;
    readonly requestId: string | undefined;
    readonly docUrl: string | undefined;
    readonly errors: FieldProblem[];
    readonly body: Record<string, unknown>;
    constructor(details: ErrorDetails);
}
/** A webhook whose signature is wrong or too old. */
export declare class WebhookSignatureError extends Error {
    readonly name = "WebhookSignatureError";
}
