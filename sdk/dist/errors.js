/**
 * What the service refused, or what kept the client from reaching it: then `status` is 0 and `code` is
 * `CONNECTION_ERROR`. Decide by `code`, which never changes; `message` is for people.
 */
export class MostradorError extends Error {
    name = "MostradorError";
    code;
    status;
    param;
    requestId;
    docUrl;
    errors;
    body;
    constructor(details) {
        super(details.message, { cause: details.cause });
        this.code = details.code;
        this.status = details.status;
        this.param = details.param;
        this.requestId = details.requestId;
        this.docUrl = details.docUrl;
        this.errors = details.errors ?? [];
        this.body = details.body ?? {};
    }
}
/** A webhook that did not come from the service, or not now. */
export class WebhookSignatureError extends Error {
    name = "WebhookSignatureError";
}
