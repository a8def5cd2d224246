/**
 * An error response, or a failure to reach the service; then `status` is 0 and `code` is `CONNECTION_ERROR`. Decide by
 * `code`, which never changes; `message` is for people.
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
/** A webhook whose signature is wrong or too old. */
export class WebhookSignatureError extends Error {
    name = "WebhookSignatureError";
}
