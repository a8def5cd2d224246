import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import reference from "@scalar/fastify-api-reference";
import fastify from "fastify";

// The package offers its bundle only through its plugin, as a string of 4 MB inside a module. In a separate thread, that
// memory is freed once the compressed bytes have been passed on.
const app = fastify();
await app.register(reference, { routePrefix: "/", configuration: { url: "/" } });
const { payload } = await app.inject("/js/scalar.js");
parentPort!.postMessage(gzipSync(payload));
