// A program as an integrator writes it over generated types. It is compiled and run by try-clients.ts, in a folder with them.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const [url, key] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: url!, headers: { Authorization: `Bearer ${key}` } });
const header = () => ({ "Idempotency-Key": crypto.randomUUID() });

const list = await api.GET("/products", { params: { query: { limit: 5 } } });
if (list.data?.data.length !== 5) throw new Error("the list");

const made = await api.POST("/customers", { params: { header: header() }, body: { name: "Ana", phone: null } });
const customer: components["schemas"]["customer"] | undefined = made.data;
if (customer?.person_type !== "person") throw new Error("the customer");

const refused = await api.POST("/customers", { params: { header: header() }, body: { name: "" } });
if (refused.error?.error.code !== "VALIDATION_ERROR") throw new Error("the error");

const product = await api.POST("/products", { params: { header: header() }, body: { name: "Pan", base_price: 1000 } });
const items = [{ product_id: product.data?.id ?? "", quantity: 2 }];
const ordered = await api.POST("/orders", { params: { header: header() }, body: { items } });
if (ordered.data?.status !== "placed" || ordered.data.items[0]?.quantity !== 2) throw new Error("the order");

const events = await api.GET("/events", { params: { query: { type: "customer.created", limit: 1 } } });
const event = events.data?.data[0];
if (event?.type !== "customer.created" || event.data.object.id !== customer.id) throw new Error("the event");
