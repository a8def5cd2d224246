import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import reference from "@scalar/fastify-api-reference";
import fastify from "fastify";

// The package hands its bundle out through its plugin only, as a string of 4 MB inside a module. Loaded in a thread of
// its own, all of that memory is gone once the compressed bytes have been passed on.
const app = fastify();
await app.register(reference, { routePrefix: "/", configuration: { url: "/" } });
const { payload } = await app.inject("/js/scalar.js");
parentPort!.postMessage(gzipSync(payload));
