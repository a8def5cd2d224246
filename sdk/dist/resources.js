import { exportAll } from "./export.js";
import { list, queryOf, readJson } from "./list.js";
import { sync } from "./sync.js";
import { webCrypto } from "./webhooks.js";
export function readable(send, { path, name, deletable = false }) {
    return {
        get: (id, options = {}) => readJson(send, { method: "GET", path: pathOf(path, id), query: queryOf(options) }),
        list: (filters) => list(send, path, filters ?? {}),
        sync: (options) => sync(send, path, { ...(deletable && { includeDeleted: true }), ...options }),
        export: (filters) => exportAll(send, name, filters ?? {}),
    };
}
export function listable(send, { path }) {
    return { list: (filters) => list(send, path, filters ?? {}) };
}
export function creatable(send, { path }) {
    return { create: (body, options) => postOnce(send, path, body, options) };
}
export function batchable(send, { path }) {
    return { createBatch: (items, options) => postOnce(send, `${path}/batch`, { items }, options) };
}
export async function postOnce(send, path, body, { idempotencyKey } = {}) {
    // Made once, before the first attempt: every repetition is the same operation.
    const key = idempotencyKey ?? (await webCrypto()).randomUUID();
    return readJson(send, { method: "POST", path, body, headers: { "idempotency-key": key } });
}
export function updatable(send, { path }) {
    return {
        update: (id, body, { ifMatch } = {}) => readJson(send, {
            method: "PATCH",
            path: pathOf(path, id),
            body,
            headers: ifMatch ? { "if-match": ifMatch } : {},
        }),
    };
}
export function pathOf(path, id) {
    return `${path}/${encodeURIComponent(id)}`;
}
export function cancellable(send, { path }) {
    return { cancel: (id, fields, options) => postOnce(send, `${pathOf(path, id)}/cancel`, fields ?? {}, options) };
}
export function previewable(send, { path }) {
    return { preview: (body) => readJson(send, { method: "POST", path: `${path}/preview`, body }) };
}
export function receivable(send, { path }) {
    return { receive: (id, fields, options) => postOnce(send, `${pathOf(path, id)}/receipts`, fields ?? {}, options) };
}
