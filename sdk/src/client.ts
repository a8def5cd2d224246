import type * as contract from "./contract.ts";
import { type Events, events } from "./events.ts";
import { type Creatable, creatable, type Readable, readable, type Updatable, updatable } from "./resources.ts";
import { type Options, sender } from "./send.ts";

type Customers = Readable<contract.Customer, contract.CustomersFilters> &
  Creatable<contract.Customer, contract.NewCustomer> &
  Updatable<contract.Customer, contract.CustomerChanges>;
type Categories = Readable<contract.Category, contract.CategoriesFilters> &
  Creatable<contract.Category, contract.NewCategory> &
  Updatable<contract.Category, contract.CategoryChanges>;
type Products = Readable<contract.Product, contract.ProductsFilters> &
  Creatable<contract.Product, contract.NewProduct> &
  Updatable<contract.Product, contract.ProductChanges>;
type Movements = Readable<contract.StockMovement, contract.StockMovementsFilters> &
  Creatable<contract.StockMovement, contract.NewStockMovement>;

/** A client for one business: `new Mostrador({ apiKey, baseUrl })`, with one property per resource. */
export class Mostrador {
  readonly customers: Customers;
  readonly categories: Categories;
  readonly products: Products;
  readonly sales: Readable<contract.Sale, contract.SalesFilters>;
  readonly invoices: Readable<contract.Invoice, contract.InvoicesFilters>;
  readonly inventory: { readonly movements: Movements };
  readonly warehouses: Readable<contract.Warehouse, contract.WarehousesFilters>;
  readonly cashSessions: Readable<contract.CashSession, contract.CashSessionsFilters>;
  readonly quotes: Readable<contract.Quote, contract.QuotesFilters>;
  readonly events: Events;

  constructor(options: Options) {
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
