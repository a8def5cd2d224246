import type * as contract from "./contract.ts";
import { type Events } from "./events.ts";
import { type Creatable, type Readable, type Updatable } from "./resources.ts";
import { type Options } from "./send.ts";
type Customers = Readable<contract.Customer, contract.CustomersFilters> & Creatable<contract.Customer, contract.NewCustomer> & Updatable<contract.Customer, contract.CustomerChanges>;
type Categories = Readable<contract.Category, contract.CategoriesFilters> & Creatable<contract.Category, contract.NewCategory> & Updatable<contract.Category, contract.CategoryChanges>;
type Products = Readable<contract.Product, contract.ProductsFilters> & Creatable<contract.Product, contract.NewProduct> & Updatable<contract.Product, contract.ProductChanges>;
type Movements = Readable<contract.StockMovement, contract.StockMovementsFilters> & Creatable<contract.StockMovement, contract.NewStockMovement>;
/** A client for one business: `new Mostrador({ apiKey, baseUrl })`, with one property per resource. */
export declare class Mostrador {
    readonly customers: Customers;
    readonly categories: Categories;
    readonly products: Products;
    readonly sales: Readable<contract.Sale, contract.SalesFilters>;
    readonly invoices: Readable<contract.Invoice, contract.InvoicesFilters>;
    readonly inventory: {
        readonly movements: Movements;
    };
    readonly warehouses: Readable<contract.Warehouse, contract.WarehousesFilters>;
    readonly cashSessions: Readable<contract.CashSession, contract.CashSessionsFilters>;
    readonly quotes: Readable<contract.Quote, contract.QuotesFilters>;
    readonly events: Events;
    constructor(options: Options);
}
export {};
