import { readJson } from "./list.js";
import { pathOf, postOnce } from "./resources.js";
export function variants(send) {
    const place = (productId) => `${pathOf("/products", productId)}/variants`;
    const ifMatching = ({ ifMatch } = {}) => ifMatch ? { "if-match": ifMatch } : {};
    return {
        create: (productId, fields, options) => postOnce(send, place(productId), fields, options),
        update: (productId, id, body, options) => readJson(send, { method: "PATCH", path: pathOf(place(productId), id), body, headers: ifMatching(options) }),
        delete: (productId, id, options) => readJson(send, { method: "DELETE", path: pathOf(place(productId), id), headers: ifMatching(options) }),
    };
}
