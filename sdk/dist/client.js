import { events } from "./events.js";
import { readJson } from "./list.js";
import { batchable, cancellable, creatable, listable, previewable, readable, receivable, updatable, } from "./resources.js";
import { sender } from "./send.js";
import { variants } from "./variants.js";
/** The API of one business. `new Mostrador({ apiKey, baseUrl })`, then one property per resource. */
export class Mostrador {
    customers;
    categories;
    products;
    sales;
    returns;
    invoices;
    inventory;
    warehouses;
    cashSessions;
    quotes;
    orders;
    locations;
    suppliers;
    purchases;
    auditLog;
    events;
    variants;
    /** The key itself: its business, permissions and limits. */
    me;
    constructor(options) {
        const send = sender(options);
        const customers = { path: "/customers", name: "customers", deletable: true };
        const categories = { path: "/categories", name: "categories", deletable: true };
        const products = { path: "/products", name: "products", deletable: true };
        const sales = { path: "/sales", name: "sales" };
        const returns = { path: "/returns", name: "returns" };
        const invoices = { path: "/invoices", name: "invoices" };
        const stockMovements = { path: "/inventory/movements", name: "inventory-movements" };
        const warehouses = { path: "/warehouses", name: "warehouses" };
        const cashSessions = { path: "/cash-sessions", name: "cash-sessions" };
        const quotes = { path: "/quotes", name: "quotes" };
        const orders = { path: "/orders", name: "orders" };
        const locations = { path: "/locations", name: "locations" };
        const suppliers = { path: "/suppliers", name: "suppliers" };
        const purchases = { path: "/purchases", name: "purchases" };
        const stockLevels = { path: "/inventory/levels", name: "inventory-levels" };
        const auditLogEntries = { path: "/audit-log", name: "audit-log" };
        this.customers = {
            ...readable(send, customers),
            ...creatable(send, customers),
            ...batchable(send, customers),
            ...updatable(send, customers),
        };
        this.categories = { ...readable(send, categories), ...creatable(send, categories), ...updatable(send, categories) };
        this.products = {
            ...readable(send, products),
            ...creatable(send, products),
            ...batchable(send, products),
            ...updatable(send, products),
        };
        this.sales = readable(send, sales);
        this.returns = readable(send, returns);
        this.invoices = readable(send, invoices);
        this.inventory = {
            movements: { ...readable(send, stockMovements), ...creatable(send, stockMovements) },
            levels: listable(send, stockLevels),
        };
        this.warehouses = { ...readable(send, warehouses), ...creatable(send, warehouses), ...updatable(send, warehouses) };
        this.cashSessions = readable(send, cashSessions);
        this.quotes = readable(send, quotes);
        this.orders = {
            ...readable(send, orders),
            ...creatable(send, orders),
            ...updatable(send, orders),
            ...cancellable(send, orders),
            ...previewable(send, orders),
        };
        this.locations = readable(send, locations);
        this.suppliers = { ...readable(send, suppliers), ...creatable(send, suppliers), ...updatable(send, suppliers) };
        this.purchases = {
            ...readable(send, purchases),
            ...creatable(send, purchases),
            ...updatable(send, purchases),
            ...receivable(send, purchases),
        };
        this.auditLog = listable(send, auditLogEntries);
        this.events = events(send);
        this.variants = variants(send);
        this.me = () => readJson(send, { method: "GET", path: "/me" });
    }
}
