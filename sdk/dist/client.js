import { events } from "./events.js";
import { creatable, readable, updatable } from "./resources.js";
import { sender } from "./send.js";
/** A client for one business: `new Mostrador({ apiKey, baseUrl })`, with one property per resource. */
export class Mostrador {
    customers;
    categories;
    products;
    sales;
    invoices;
    inventory;
    warehouses;
    cashSessions;
    quotes;
    events;
    constructor(options) {
        const send = sender(options);
        const customers = { path: "/customers", name: "customers", deletable: true };
        const categories = { path: "/categories", name: "categories", deletable: true };
        const products = { path: "/products", name: "products", deletable: true };
        const movements = { path: "/inventory/movements", name: "inventory-movements" };
        this.customers = { ...readable(send, customers), ...creatable(send, customers), ...updatable(send, customers) };
        this.categories = { ...readable(send, categories), ...creatable(send, categories), ...updatable(send, categories) };
        this.products = { ...readable(send, products), ...creatable(send, products), ...updatable(send, products) };
        this.sales = readable(send, { path: "/sales", name: "sales" });
        this.invoices = readable(send, { path: "/invoices", name: "invoices" });
        this.inventory = { movements: { ...readable(send, movements), ...creatable(send, movements) } };
        this.warehouses = readable(send, { path: "/warehouses", name: "warehouses" });
        this.cashSessions = readable(send, { path: "/cash-sessions", name: "cash-sessions" });
        this.quotes = readable(send, { path: "/quotes", name: "quotes" });
        this.events = events(send);
    }
}
