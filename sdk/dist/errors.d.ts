import type { ErrorCode } from "./contract.ts";
/** One field of a request that the service did not accept. */
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
    /** The error as the service sent it, with whatever else it carries. */
    body?: Record<string, unknown> | undefined;
    cause?: unknown;
}
/**
 * What the service refused, or what kept the client from reaching it: then `status` is 0 and `code` is
 * `CONNECTION_ERROR`. Decide by `code`, which never changes; `message` is for people.
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
/** A webhook that did not come from the service, or not now. */
export declare class WebhookSignatureError extends Error {
    readonly name = "WebhookSignatureError";
}
