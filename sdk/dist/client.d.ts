import type * as contract from "./contract.ts";
import { type Events } from "./events.ts";
import { type Batchable, type Cancellable, type Creatable, type Listable, type Previewable, type Readable, type Receivable, type Updatable } from "./resources.ts";
import { type Options } from "./send.ts";
import { type Variants } from "./variants.ts";
type Customers = Readable<contract.Customer, contract.CustomersFilters> & Creatable<contract.Customer, contract.NewCustomer> & Batchable<contract.CustomerBatch, contract.NewCustomer> & Updatable<contract.Customer, contract.CustomerChanges>;
type Categories = Readable<contract.Category, contract.CategoriesFilters> & Creatable<contract.Category, contract.NewCategory> & Updatable<contract.Category, contract.CategoryChanges>;
type Products = Readable<contract.Product, contract.ProductsFilters> & Creatable<contract.Product, contract.NewProduct> & Batchable<contract.ProductBatch, contract.NewProduct> & Updatable<contract.Product, contract.ProductChanges>;
type Sales = Readable<contract.Sale, contract.SalesFilters>;
type Returns = Readable<contract.Return, contract.ReturnsFilters>;
type Invoices = Readable<contract.Invoice, contract.InvoicesFilters>;
type StockMovements = Readable<contract.StockMovement, contract.StockMovementsFilters> & Creatable<contract.StockMovement, contract.NewStockMovement>;
type Warehouses = Readable<contract.Warehouse, contract.WarehousesFilters> & Creatable<contract.Warehouse, contract.NewWarehouse> & Updatable<contract.Warehouse, contract.WarehouseChanges>;
type CashSessions = Readable<contract.CashSession, contract.CashSessionsFilters>;
type Quotes = Readable<contract.Quote, contract.QuotesFilters>;
type Orders = Readable<contract.Order, contract.OrdersFilters> & Creatable<contract.Order, contract.NewOrder> & Updatable<contract.Order, contract.OrderChanges> & Cancellable<contract.Order, contract.NewOrderCancel> & Previewable<contract.OrderPreview, contract.NewOrderPreview>;
type Locations = Readable<contract.Location, contract.LocationsFilters>;
type Suppliers = Readable<contract.Supplier, contract.SuppliersFilters> & Creatable<contract.Supplier, contract.NewSupplier> & Updatable<contract.Supplier, contract.SupplierChanges>;
type Purchases = Readable<contract.Purchase, contract.PurchasesFilters> & Creatable<contract.Purchase, contract.NewPurchase> & Updatable<contract.Purchase, contract.PurchaseChanges> & Receivable<contract.Purchase, contract.NewPurchaseReceipt>;
type StockLevels = Listable<contract.StockLevel, contract.StockLevelsFilters>;
type AuditLogEntries = Listable<contract.AuditLogEntry, contract.AuditLogEntriesFilters>;
/** The API of one business. `new Mostrador({ apiKey, baseUrl })`, then one property per resource. */
export declare class Mostrador {
    readonly customers: Customers;
    readonly categories: Categories;
    readonly products: Products;
    readonly sales: Sales;
    readonly returns: Returns;
    readonly invoices: Invoices;
    readonly inventory: {
        readonly movements: StockMovements;
        readonly levels: StockLevels;
    };
    readonly warehouses: Warehouses;
    readonly cashSessions: CashSessions;
    readonly quotes: Quotes;
    readonly orders: Orders;
    readonly locations: Locations;
    readonly suppliers: Suppliers;
    readonly purchases: Purchases;
    readonly auditLog: AuditLogEntries;
    readonly events: Events;
    readonly variants: Variants;
    /** The key itself: its business, permissions and limits. */
    readonly me: () => Promise<contract.ApiKey>;
    constructor(options: Options);
}
export {};
