/** A value of a list that may grow: those known today, or any other text. */
export type Open<Known extends string> = Known | (string & {});
/** An instant: ISO 8601 with a zone, or a Date. */
export type Instant = string | Date;
export type ErrorCode = Open<"VALIDATION_ERROR" | "INVALID_JSON" | "INVALID_CURSOR" | "IDEMPOTENCY_KEY_REQUIRED" | "UNAUTHENTICATED" | "INVALID_API_KEY" | "API_KEY_REVOKED" | "API_KEY_EXPIRED" | "API_KEY_WRONG_ENVIRONMENT" | "ACCOUNT_INACTIVE" | "PLAN_REQUIRED" | "INSUFFICIENT_SCOPE" | "ADDRESS_NOT_ALLOWED" | "BROWSER_REQUESTS_NOT_ALLOWED" | "NOT_FOUND" | "ROUTE_NOT_FOUND" | "CONFLICT" | "SKU_ALREADY_EXISTS" | "IDEMPOTENCY_IN_PROGRESS" | "NO_WAREHOUSE" | "DEVICES_OUTDATED" | "PAYLOAD_TOO_LARGE" | "IDEMPOTENCY_KEY_REUSED" | "VARIANT_STOCK_UNSUPPORTED" | "COMPOSITE_STOCK_UNSUPPORTED" | "RATE_LIMITED" | "INTERNAL_ERROR">;
export interface NewCustomer {
    /** Nombre. */
    name: string;
    /** Apellidos. */
    last_name?: string | null;
    /** Teléfono, como lo escribió el negocio. */
    phone?: string | null;
    /** Correo electrónico. */
    email?: string | null;
    /** `person`, persona natural; `company`, persona jurídica. Por omisión, `person`. */
    person_type?: "person" | "company" | null;
    /** Tipo de documento de identidad; por omisión, `CC`. */
    document_type?: "CC" | "TI" | "NIT" | "CE" | "PASAPORTE" | null;
    /** Número de documento. */
    document_number?: string | null;
    /** Por dónde llegó el cliente; por omisión, `none`. */
    contact_channel?: "none" | "store" | "whatsapp" | "instagram" | "website" | "referral" | null;
    /** Su identificador en otro sistema, único entre los registros de su clase que no están eliminados. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
    /** Si autorizó que le escriban con publicidad. Guarde la prueba en su sistema. */
    accepts_marketing?: boolean | null;
    /** Cuándo lo dijo; por omisión, ahora. */
    accepts_marketing_at?: string | null;
    /** Dónde lo dijo. */
    accepts_marketing_source?: string | null;
}
export interface Customer {
    /** Tipo del objeto; siempre este valor. */
    object: "customer";
    /** Identificador único. */
    id: string;
    /** Nombre. */
    name: string;
    /** Apellidos. */
    last_name: string | null;
    /** Correo electrónico. */
    email: string | null;
    /** Teléfono, como lo escribió el negocio. */
    phone: string | null;
    /** `person`, persona natural; `company`, persona jurídica. */
    person_type: Open<"person" | "company">;
    /** Tipo de documento de identidad. */
    document_type: Open<"CC" | "TI" | "NIT" | "CE" | "PASAPORTE">;
    /** Número de documento. */
    document_number: string | null;
    /** Por dónde llegó el cliente. */
    contact_channel: Open<"none" | "store" | "whatsapp" | "instagram" | "website" | "referral"> | null;
    /** Su identificador en otro sistema. Sin el campo, ninguno. */
    external_id?: string;
    /** Campos propios del negocio, por clave. Sin el campo, ninguno. */
    metadata?: Record<string, string>;
    /** Si autorizó que le escriban con publicidad. Sin el campo, nadie le ha preguntado. */
    accepts_marketing?: boolean;
    /** Cuándo lo dijo. */
    accepts_marketing_at?: string;
    /** Dónde lo dijo, por ejemplo `Mostrador` o `Formulario web`. */
    accepts_marketing_source?: string;
    /** Cuándo se borraron sus datos personales; entonces también está eliminado. */
    erased_at?: string;
    /** Cuándo se eliminó; `null` si existe. */
    deleted_at: string | null;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
}
export interface NewCustomerBatch {
    /** Lo que se crea, en orden. */
    items: NewCustomer[];
}
export interface CustomerBatch {
    /** Un resultado por elemento, en el mismo orden. */
    results: Array<{
        status: number;
        record?: Customer;
        error?: {
            code: string;
            message: string;
            param?: string;
        };
    }>;
}
export interface CustomerChanges {
    /** Nombre. */
    name?: string;
    /** Apellidos. */
    last_name?: string | null;
    /** Teléfono, como lo escribió el negocio. */
    phone?: string | null;
    /** Correo electrónico. */
    email?: string | null;
    /** `person`, persona natural; `company`, persona jurídica. */
    person_type?: "person" | "company";
    /** Tipo de documento de identidad. */
    document_type?: "CC" | "TI" | "NIT" | "CE" | "PASAPORTE";
    /** Número de documento. */
    document_number?: string | null;
    /** Por dónde llegó el cliente. */
    contact_channel?: "none" | "store" | "whatsapp" | "instagram" | "website" | "referral" | null;
    /** Su identificador en otro sistema, único entre los registros de su clase que no están eliminados. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
    /** `false` retira la autorización; `null`, como si nadie le hubiera preguntado. */
    accepts_marketing?: boolean | null;
    /** Cuándo lo dijo; por omisión, ahora. */
    accepts_marketing_at?: string | null;
    /** Dónde lo dijo. */
    accepts_marketing_source?: string | null;
}
export interface NewCategory {
    /** Nombre. */
    name: string;
    /** Descripción. */
    description?: string | null;
    /** Posición en el mostrador; menor va primero. */
    sort_order?: number | null;
}
export interface Category {
    /** Tipo del objeto; siempre este valor. */
    object: "category";
    /** Identificador único. */
    id: string;
    /** Nombre. */
    name: string;
    /** Descripción. */
    description: string | null;
    /** Imagen principal. */
    image_url: string | null;
    /** Posición en el mostrador; menor va primero. */
    sort_order: number;
    /** Cuándo se eliminó; `null` si existe. */
    deleted_at: string | null;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
}
export interface CategoryChanges {
    /** Nombre. */
    name?: string;
    /** Descripción. */
    description?: string | null;
    /** Posición en el mostrador; menor va primero. */
    sort_order?: number;
}
export interface NewProduct {
    /** Nombre. */
    name: string;
    /** Precio de lista en pesos, antes del descuento propio. */
    base_price: number;
    /** Descripción; por omisión, vacía. */
    description?: string | null;
    /** Descripción corta; por omisión, vacía. */
    description_short?: string | null;
    /** Código interno o de barras, único entre los productos y variantes de la cuenta. */
    sku?: string | null;
    /** La categoría. */
    category_id?: string | null;
    /** Por omisión, `base_price` menos `percent_discount`. */
    final_price?: number | null;
    /** Descuento sobre `base_price`, de 0 a 100; por omisión, el que resulta de los precios. */
    percent_discount?: number | null;
    /** Clase fiscal; por omisión, `standard`, que hereda del perfil fiscal del negocio. */
    tax_class?: "standard" | "reduced_5" | "excluded" | "exempt" | "service_19" | "event_package" | "bag" | "passthrough" | null;
    /** Unidad en que se expresan existencias y costo; por omisión, `und`. */
    base_unit?: "und" | "g" | "kg" | "lb" | "oz" | "ml" | "l" | "doc" | null;
    /** Si la cantidad de una línea es un peso en `base_unit`; por omisión, `false`. */
    sold_by_weight?: boolean | null;
    /** `false`: ingrediente que no se vende solo; por omisión, `true`. */
    sellable?: boolean | null;
    /** Si está en uso; por omisión, `true`. */
    active?: boolean | null;
    /** Costo en pesos por unidad base; por omisión, 0. */
    unit_cost?: number | null;
    /** Direcciones de las imágenes, la principal primero. */
    images?: string[] | null;
    /** Variantes del producto; una sola puede ser la predeterminada y, si ninguna lo es, lo será la primera. */
    variants?: Array<{
        label: string;
        sku?: string | null;
        base_price?: number | null;
        final_price?: number | null;
        percent_discount?: number | null;
        images?: string[] | null;
        is_default?: boolean | null;
        active?: boolean | null;
    }> | null;
    /** Otros códigos del producto y sus presentaciones. Reemplaza la lista completa. */
    barcodes?: Array<{
        code: string;
        units?: number | null;
        name?: string | null;
        price?: number | null;
        variant_id?: string | null;
    }> | null;
    /** Su identificador en otro sistema, único entre los registros de su clase que no están eliminados. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
    /** Existencias iniciales en unidades base; por omisión, 0. No se admiten con variantes. */
    initial_stock?: number | null;
    /** Bodega de las existencias iniciales; por omisión, la predeterminada. */
    warehouse_id?: string | null;
}
export interface ProductVariant {
    /** Tipo del objeto; siempre este valor. */
    object: "product_variant";
    /** Identificador único. */
    id: string;
    /** El producto. */
    product_id: string;
    /** Nombre de la variante, por ejemplo talla y color. */
    label: string;
    /** Código interno o de barras, único entre los productos y variantes de la cuenta. */
    sku: string | null;
    /** Precio de lista en pesos. */
    base_price: number;
    /** Precio de la variante; con 0 la caja usa el del producto. */
    final_price: number;
    /** Descuento sobre `base_price`, de 0 a 100. */
    percent_discount: number;
    /** Direcciones de las imágenes. */
    images: string[];
    /** Si es la predeterminada. */
    is_default: boolean;
    /** Si está en uso. */
    active: boolean;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Cuándo se eliminó; `null` si existe. */
    deleted_at: string | null;
}
export interface ProductBarcode {
    /** Lo que lee el lector. */
    code: string;
    /** Cuántas unidades del producto son: 1 para otro código, 24 para una caja. */
    units: number;
    /** Nombre de la presentación, por ejemplo «Caja x24». */
    name: string | null;
    /** Precio propio de la presentación; con `null`, sus unidades al precio del producto. */
    price: number | null;
    /** La variante que nombra; `null` si es del producto. */
    variant_id: string | null;
}
export interface Product {
    /** Tipo del objeto; siempre este valor. */
    object: "product";
    /** Identificador único. */
    id: string;
    /** Nombre. */
    name: string;
    /** Descripción. */
    description: string;
    /** Descripción corta. */
    description_short: string;
    /** Código interno o de barras, único entre los productos y variantes de la cuenta. */
    sku: string | null;
    /** La categoría; `null` si no tiene. */
    category_id: string | null;
    /** Un producto `composite` se arma con una receta y no descuenta existencias propias. */
    kind: Open<"simple" | "composite">;
    /** `false`: ingrediente que no se vende solo. */
    sellable: boolean;
    /** Si está en uso. */
    active: boolean;
    /** Clase fiscal: `standard` hereda del perfil fiscal del negocio; las demás fijan su propio tratamiento. */
    tax_class: Open<"standard" | "reduced_5" | "excluded" | "exempt" | "service_19" | "event_package" | "bag" | "passthrough">;
    /** Precio de lista, antes del descuento propio. */
    base_price: number;
    /** Precio al que vende la caja. */
    final_price: number;
    /** Descuento sobre `base_price`, de 0 a 100. */
    percent_discount: number;
    /** Unidad en que se expresan existencias y costo. */
    base_unit: Open<"und" | "g" | "kg" | "lb" | "oz" | "ml" | "l" | "doc">;
    /** Si la cantidad de una línea es un peso en `base_unit`. */
    sold_by_weight: boolean;
    /** Existencias en unidades base, redondeadas hacia abajo; null si es compuesto o tiene variantes. */
    stock: number | null;
    /** Costo promedio por unidad base: el de todas las entradas que llegaron con costo, también las de lo que ya se vendió, cada una según su cantidad. Sin ninguna, el costo que se dio al crear el producto. */
    unit_cost: number;
    /** Imagen principal. */
    image_url: string | null;
    /** Direcciones de las imágenes. */
    images: string[];
    /** Si tiene variantes. */
    has_variants: boolean;
    /** Las variantes vigentes. */
    variants: ProductVariant[];
    /** Otros códigos del producto y sus presentaciones, además de `sku`. Sin el campo, ninguno. */
    barcodes?: ProductBarcode[];
    /** Su identificador en otro sistema. Sin el campo, ninguno. */
    external_id?: string;
    /** Campos propios del negocio, por clave. Sin el campo, ninguno. */
    metadata?: Record<string, string>;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Cuándo se eliminó; `null` si existe. */
    deleted_at: string | null;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
}
export interface NewProductBatch {
    /** Lo que se crea, en orden. */
    items: NewProduct[];
}
export interface ProductBatch {
    /** Un resultado por elemento, en el mismo orden. */
    results: Array<{
        status: number;
        record?: Product;
        error?: {
            code: string;
            message: string;
            param?: string;
        };
    }>;
}
export interface ProductChanges {
    /** Nombre. */
    name?: string;
    /** Descripción. */
    description?: string;
    /** Descripción corta. */
    description_short?: string;
    /** Código interno o de barras, único entre los productos y variantes de la cuenta. */
    sku?: string | null;
    /** La categoría; `null` si no tiene. */
    category_id?: string | null;
    /** Precio de lista en pesos, antes del descuento propio. */
    base_price?: number;
    /** Precio en pesos al que vende la caja. */
    final_price?: number;
    /** Descuento sobre `base_price`, de 0 a 100. */
    percent_discount?: number;
    /** Clase fiscal: `standard` hereda del perfil fiscal del negocio; las demás fijan su propio tratamiento. */
    tax_class?: "standard" | "reduced_5" | "excluded" | "exempt" | "service_19" | "event_package" | "bag" | "passthrough";
    /** Si está en uso. */
    active?: boolean;
    /** `false`: ingrediente que no se vende solo. */
    sellable?: boolean;
    /** Otros códigos del producto y sus presentaciones. Reemplaza la lista completa. */
    barcodes?: Array<{
        code: string;
        units?: number | null;
        name?: string | null;
        price?: number | null;
        variant_id?: string | null;
    }>;
    /** Su identificador en otro sistema, único entre los registros de su clase que no están eliminados. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
}
export interface TaxTotal {
    /** Código del tributo ante la DIAN: `01` IVA, `03` ICA, `04` INC, `22` INC bolsas. */
    code: string;
    /** Tarifa en porcentaje; `null` si es un valor por unidad. */
    rate: number | null;
    /** Pesos por unidad; `null` si es un porcentaje. */
    per_unit: number | null;
    /** Base gravable en pesos. */
    base: number;
    /** Valor en pesos. */
    amount: number;
}
export interface LineTax {
    /** Código del tributo ante la DIAN: `01` IVA, `03` ICA, `04` INC, `22` INC bolsas. */
    code: string;
    /** Nombre del tributo. */
    name: string | null;
    /** Tarifa en porcentaje; `null` si es un valor por unidad. */
    rate: number | null;
    /** Pesos por unidad; `null` si es un porcentaje. */
    per_unit: number | null;
    /** Base gravable en pesos. */
    base: number;
    /** Valor en pesos. */
    amount: number;
}
export interface SaleItem {
    /** Tipo del objeto; siempre este valor. */
    object: "sale_item";
    /** Identificador único. */
    id: string;
    /** El producto. */
    product_id: string | null;
    /** La variante, si la hay. */
    variant_id: string | null;
    /** `product` o una línea libre. */
    item_kind: string;
    /** Texto de la línea. */
    description: string | null;
    /** Puede tener decimales en ventas por peso. */
    quantity: number;
    /** Precio unitario con los impuestos porcentuales incluidos. */
    unit_price: number;
    /** Total de la línea, impuestos incluidos. */
    subtotal: number;
    /** Costo unitario en el momento de la venta. */
    unit_cost: number | null;
    /** Clase fiscal: `standard` hereda del perfil fiscal del negocio; las demás fijan su propio tratamiento. */
    tax_class: string;
    /** Impuestos de la línea, como quedaron en ese momento; `null` si no se conocen. */
    taxes: LineTax[] | null;
}
export interface InvoiceSummary {
    /** Identificador único. */
    id: string;
    /** Clase de documento. */
    document_type: Open<"electronic_invoice" | "pos_document" | "pos_adjustment_note" | "internal_invoice" | "other">;
    /** Estado. */
    status: Open<"pending" | "issued" | "rejected" | "emission_failed" | "annulled">;
    /** CUFE o CUDE del documento electrónico. */
    cufe: string | null;
    /** Prefijo de la numeración. */
    prefix: string | null;
    /** Número consecutivo. */
    number: number;
}
export interface Sale {
    /** Tipo del objeto; siempre este valor. */
    object: "sale";
    /** Identificador único. */
    id: string;
    /** Estado como lo registró la caja: `completed`, `cancelled`, `open`, `pending` u otro. */
    status: string;
    /** Documento pedido al pagar: `pos` o `invoice`. */
    document_kind: Open<"pos" | "invoice">;
    /** Medio de pago como lo registró la caja, por ejemplo `CASH` o `CARD`. */
    payment_method: string;
    /** El cliente, si se identificó. */
    customer_id: string | null;
    /** El turno de su caja en que se hizo; `null` si fue fuera de turno o la caja nombró el de otra. */
    cash_session_id: string | null;
    /** Suma de las líneas, impuestos incluidos. */
    subtotal: number;
    /** Descuento en pesos. */
    discount: number;
    /** Descuento en porcentaje. */
    discount_percent: number;
    /** Parte del total que es impuesto. */
    tax: number;
    /** Propina; nunca es base de impuestos. */
    tip_amount: number;
    /** `subtotal` − `discount` + `tip_amount`. */
    total: number;
    /** Impuestos por código y tarifa; `null` si no se conocen. */
    tax_breakdown: TaxTotal[] | null;
    /** Notas libres. */
    notes: string | null;
    /** Mesa, puesto o nombre de quien pide. */
    table_label: string | null;
    /** Las líneas. */
    items: SaleItem[];
    /** Documentos de la venta, en resumen. */
    invoices: InvoiceSummary[];
    /** Su identificador en otro sistema. Sin el campo, ninguno. */
    external_id?: string;
    /** Campos propios del negocio, por clave. Sin el campo, ninguno. */
    metadata?: Record<string, string>;
    /** Cuándo la registró la caja, según su reloj. */
    occurred_at: string;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`. */
    location_id?: string;
}
export interface ReturnLine {
    /** Tipo del objeto; siempre este valor. */
    object: "return_line";
    /** La línea de la venta. */
    item_id: string;
    /** El producto. */
    product_id: string | null;
    /** La variante, si la hay. */
    variant_id: string | null;
    /** Descripción. */
    description: string | null;
    /** Cantidad devuelta. */
    quantity: number;
    /** Precio unitario con los impuestos porcentuales incluidos. */
    unit_price: number;
    /** Valor devuelto de la línea, impuestos incluidos, antes del descuento. */
    subtotal: number;
    /** Parte del descuento de la venta que le toca a lo devuelto. */
    discount: number;
    /** `subtotal` − `discount`. */
    total: number;
    /** Clase fiscal: `standard` hereda del perfil fiscal del negocio; las demás fijan su propio tratamiento. */
    tax_class: string;
    /** La parte devuelta de los impuestos de la línea; `null` si no se conocen. */
    taxes: LineTax[] | null;
}
export interface Return {
    /** Tipo del objeto; siempre este valor. */
    object: "return";
    /** Identificador único. */
    id: string;
    /** La venta de la que se devuelve. */
    sale_id: string;
    /** `full`, toda la venta de una vez; `partial`, una parte o lo que quedaba. */
    kind: Open<"partial" | "full">;
    /** Motivo, en texto libre. */
    reason: string | null;
    /** Medio con que se devolvió el dinero, por ejemplo `CASH`. */
    payment_method: string;
    /** El turno de cuya caja salió el efectivo. */
    cash_session_id: string | null;
    /** La nota, que está en `/invoices`; `null` mientras el documento de la venta no esté emitido. */
    invoice_id: string | null;
    /** Suma de las líneas devueltas, impuestos incluidos. */
    subtotal: number;
    /** Parte del descuento de la venta. */
    discount: number;
    /** Parte de lo devuelto que es impuesto. */
    tax: number;
    /** Propina; solo se devuelve con la venta completa. */
    tip_amount: number;
    /** Dinero devuelto: `subtotal` − `discount` + `tip_amount`. */
    total: number;
    /** Impuestos por código y tarifa; `null` si no se conocen. */
    tax_breakdown: TaxTotal[] | null;
    /** Las líneas devueltas. */
    lines: ReturnLine[];
    /** Cuándo se hizo, según el reloj de la caja. */
    occurred_at: string;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`. */
    location_id?: string;
}
export interface Invoice {
    /** Tipo del objeto; siempre este valor. */
    object: "invoice";
    /** Identificador único. */
    id: string;
    /** La venta. */
    sale_id: string | null;
    /** `electronic_invoice` (tipo 1, CUFE), `pos_document` (documento equivalente POS, tipo 15, CUDE), `pos_adjustment_note` (nota de ajuste, tipo 26), `internal_invoice` (no electrónico), `other`. */
    document_type: Open<"electronic_invoice" | "pos_document" | "pos_adjustment_note" | "internal_invoice" | "other">;
    /** Tipo de documento ante la DIAN: 1, 15 o 26. */
    type_document_id: number | null;
    /** Estado del documento. */
    status: Open<"pending" | "issued" | "rejected" | "emission_failed" | "annulled">;
    /** Código de respuesta de la DIAN. */
    dian_status: string | null;
    /** Mensaje de respuesta de la DIAN. */
    dian_message: string | null;
    /** Motivo del documento, por ejemplo el de una nota. */
    document_reason: string | null;
    /** Prefijo de la numeración. */
    prefix: string | null;
    /** Número consecutivo. */
    number: number;
    /** CUFE o CUDE del documento electrónico. */
    cufe: string | null;
    /** Bases gravables más lo no gravado. */
    subtotal: number;
    /** Parte del total que es impuesto. */
    tax: number;
    /** Total en pesos. */
    total: number;
    /** Fecha y hora propias del documento, con las que se calculó su CUFE o CUDE. */
    issued_at: string;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`. */
    location_id?: string;
}
export interface NewStockMovement {
    /** El producto. */
    product_id: string;
    /** Las variantes no llevan existencias en v1: enviarla es un error. */
    variant_id?: string | null;
    /** Por omisión, la bodega predeterminada. */
    warehouse_id?: string | null;
    /** `in` y `out` llevan cantidad positiva; `adjustment`, la diferencia con su signo. */
    type: "in" | "out" | "adjustment";
    /** Siempre una diferencia, nunca un total. Hasta 3 decimales; entera para `und` y `doc`. */
    quantity: number;
    /** Motivo, en texto libre. */
    reason?: string | null;
    /** Referencia libre, por ejemplo el número de una factura de compra. */
    reference?: string | null;
    /** Costo por unidad base en ese momento. */
    unit_cost?: number | null;
}
export interface StockMovement {
    /** Tipo del objeto; siempre este valor. */
    object: "stock_movement";
    /** Identificador único. */
    id: string;
    /** El producto. */
    product_id: string;
    /** La variante, si la hay. */
    variant_id: string | null;
    /** null cuando el movimiento llegó antes que su bodega. */
    warehouse_id: string | null;
    /** Tipo como lo registró la caja; por la API, `in`, `out` o `adjustment`. */
    type: string;
    /** En la unidad base del producto. */
    quantity: number;
    /** Motivo, en texto libre. */
    reason: string | null;
    /** Referencia libre, por ejemplo el número de una factura de compra. */
    reference: string | null;
    /** Costo por unidad base en ese momento. */
    unit_cost: number | null;
    /** Qué lo originó: `sale`, `purchase`, `adjustment`, `recipe_explosion`, `reversal` u otro. */
    origin_type: string | null;
    /** La venta que causó el movimiento. */
    sale_id: string | null;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`. */
    location_id?: string;
}
export interface NewWarehouse {
    /** Nombre. */
    name: string;
    /** Con `true`, pasa a ser la predeterminada y la anterior deja de serlo. Siempre lo es una de las abiertas; la primera, sin pedirlo. */
    is_default?: boolean | null;
    /** La sede a la que pertenece; sin el campo, la primera. Para que sea de todo el negocio, edítela después con `null`. */
    location_id?: string | null;
}
export interface Warehouse {
    /** Tipo del objeto; siempre este valor. */
    object: "warehouse";
    /** Identificador único. */
    id: string;
    /** Nombre. */
    name: string;
    /** Dirección. */
    address: string | null;
    /** Ciudad. */
    city: string | null;
    /** Si es la predeterminada. */
    is_default: boolean;
    /** Si está en uso. */
    active: boolean;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** La sede a la que pertenece; `null` si es de todo el negocio. Sin el campo, la primera. */
    location_id?: string | null;
}
export interface WarehouseChanges {
    /** Nombre. */
    name?: string;
    /** Con `true`, pasa a ser la predeterminada y la anterior deja de serlo. Siempre lo es una de las abiertas; la primera, sin pedirlo. */
    is_default?: boolean;
    /** La sede a la que pertenece; `null` si es de todo el negocio. Al crearla sin decirlo, la primera. */
    location_id?: string | null;
    /** `false` la cierra y `true` la abre. La predeterminada solo se cierra si es la última. */
    active?: boolean;
}
export interface PaymentTotal {
    /** Medio de pago como lo registró la caja, por ejemplo `CASH` o `CARD`. */
    payment_method: string;
    /** Número de ventas. */
    count: number;
    /** Valor en pesos. */
    amount: number;
}
export interface CashMovement {
    /** Tipo del objeto; siempre este valor. */
    object: "cash_movement";
    /** Identificador único. */
    id: string;
    /** El turno de caja. */
    cash_session_id: string;
    /** `in`, entrada; `out`, salida. */
    type: Open<"in" | "out">;
    /** Valor en pesos. */
    amount: number;
    /** Motivo, en texto libre. */
    reason: string | null;
    /** Quién lo registró. */
    created_by: string | null;
    /** Cuándo ocurrió, según el reloj de la caja. */
    occurred_at: string;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
}
export interface CashSession {
    /** Tipo del objeto; siempre este valor. */
    object: "cash_session";
    /** Identificador único. */
    id: string;
    /** Estado del turno. */
    status: Open<"open" | "closed" | "suspended">;
    /** La caja. */
    register_id: string | null;
    /** Nombre de la caja. */
    register_name: string;
    /** Cuándo se abrió. */
    opened_at: string;
    /** Cuándo se cerró; `null` si sigue abierto. */
    closed_at: string | null;
    /** Quién lo abrió. */
    opened_by: string | null;
    /** Quién lo cerró. */
    closed_by: string | null;
    /** Efectivo al abrir. */
    opening_amount: number;
    /** Ventas en efectivo. */
    cash_sales: number;
    /** Devoluciones en efectivo. */
    cash_refunds: number;
    /** Entradas manuales de efectivo. */
    cash_in: number;
    /** Salidas manuales de efectivo. */
    cash_out: number;
    /** Apertura + ventas − devoluciones + entradas − salidas, en efectivo. */
    expected_amount: number;
    /** Efectivo contado al cerrar. */
    counted_amount: number | null;
    /** Contado − esperado. */
    difference: number | null;
    /** Número de ventas. */
    sales_count: number;
    /** Total vendido. */
    sales_total: number;
    /** Ventas por medio de pago. */
    payments: PaymentTotal[];
    /** Notas libres. */
    notes: string | null;
    /** Todas las entradas y salidas manuales. */
    movements: CashMovement[];
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`. */
    location_id?: string;
}
export interface QuoteItem {
    /** Tipo del objeto; siempre este valor. */
    object: "quote_item";
    /** Identificador único. */
    id: string;
    /** El producto. */
    product_id: string | null;
    /** La variante, si la hay. */
    variant_id: string | null;
    /** `product` o una línea libre. */
    item_kind: string;
    /** Texto de la línea. */
    description: string | null;
    /** Cantidad; puede tener decimales en ventas por peso. */
    quantity: number;
    /** Precio unitario con los impuestos porcentuales incluidos. */
    unit_price: number;
    /** Total de la línea, impuestos incluidos. */
    subtotal: number;
    /** Descuento en porcentaje. */
    discount_percent: number;
    /** Clase fiscal: `standard` hereda del perfil fiscal del negocio; las demás fijan su propio tratamiento. */
    tax_class: string;
    /** Impuestos de la línea, como quedaron en ese momento; `null` si no se conocen. */
    taxes: LineTax[] | null;
}
export interface Quote {
    /** Tipo del objeto; siempre este valor. */
    object: "quote";
    /** Identificador único. */
    id: string;
    /** Prefijo de la numeración. */
    prefix: string | null;
    /** Número consecutivo. */
    number: number | null;
    /** Una cotización `draft` o `sent` cuyo `expires_at` pasó se lee como `expired`. */
    status: Open<"draft" | "sent" | "accepted" | "rejected" | "expired" | "converted">;
    /** El cliente, si se identificó. */
    customer_id: string | null;
    /** Nombre del cliente como quedó en la cotización. */
    customer_name: string | null;
    /** Suma de las líneas, impuestos incluidos. */
    subtotal: number;
    /** Descuento en pesos. */
    discount: number;
    /** Descuento en porcentaje. */
    discount_percent: number;
    /** Parte del total que es impuesto. */
    tax: number;
    /** Total en pesos. */
    total: number;
    /** Impuestos por código y tarifa; `null` si no se conocen. */
    tax_breakdown: TaxTotal[] | null;
    /** Notas libres. */
    notes: string | null;
    /** Las líneas. */
    items: QuoteItem[];
    /** La venta en que se convirtió. */
    sale_id: string | null;
    /** Cuándo se hizo. */
    issued_at: string;
    /** Cuándo vence; `null` si no vence. */
    expires_at: string | null;
    /** Cuándo se envió. */
    sent_at: string | null;
    /** Cuándo se aceptó. */
    accepted_at: string | null;
    /** Cuándo se rechazó. */
    rejected_at: string | null;
    /** Cuándo se convirtió en venta. */
    converted_at: string | null;
    /** Su identificador en otro sistema. Sin el campo, ninguno. */
    external_id?: string;
    /** Campos propios del negocio, por clave. Sin el campo, ninguno. */
    metadata?: Record<string, string>;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`. */
    location_id?: string;
}
export interface NewOrder {
    /** La sede; por omisión, la del municipio del domicilio o la primera. */
    location_id?: string | null;
    /** Cómo se entrega. */
    fulfilment?: {
        type: "pickup" | "delivery" | "dine_in";
        address?: string | null;
        municipality?: string | null;
        notes?: string | null;
        table?: string | null;
    } | null;
    /** `current` (por omisión), los del negocio; `given`, los acordados en otra parte. */
    prices?: "current" | "given" | null;
    /** Las líneas. */
    items: Array<{
        product_id?: string | null;
        sku?: string | null;
        barcode?: string | null;
        variant_id?: string | null;
        quantity: number;
        unit_price?: number | null;
        discount?: number | null;
        notes?: string | null;
    }>;
    /** Domicilio, impuestos incluidos. */
    delivery_fee?: number | null;
    /** Rebaja de todo el pedido, en pesos. */
    discount?: number | null;
    /** Propina. */
    tip?: number | null;
    /** De dónde viene; por omisión, el nombre de la clave. Mayúsculas y espacios alrededor no la hacen otra. */
    source?: string | null;
    /** El cliente, si se identificó. */
    customer_id?: string | null;
    /** Quién lo hizo, si no es un cliente registrado. */
    contact?: {
        name: string;
        phone?: string | null;
        email?: string | null;
        document_type?: "CC" | "TI" | "NIT" | "CE" | "PASAPORTE" | null;
        document_number?: string | null;
    } | null;
    /** Para cuándo se pide. */
    due_at?: string | null;
    /** Vence si nadie lo aceptó hasta entonces. */
    accept_by?: string | null;
    /** Vence si no se entregó hasta entonces. */
    expires_at?: string | null;
    /** Cómo se paga; `null` si no se dijo. */
    payment?: {
        status: "paid" | "pending";
        method?: "CASH" | "CARD" | "CREDIT_CARD" | "DEBIT_CARD" | "TRANSFER" | "NEQUI" | "DAVIPLATA" | "BRE_B" | "CHEQUE" | "BONO" | "FIADO" | "CREDIT" | "OTHER" | null;
        reference?: string | null;
        amount?: number | null;
    } | null;
    /** Notas libres. */
    notes?: string | null;
    /** Su número en el otro sistema: con la misma fuente y el mismo número se responde el primero. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
}
export interface OrderContact {
    /** Nombre. */
    name: string;
    /** Teléfono, como lo escribió el negocio. */
    phone: string | null;
    /** Correo electrónico. */
    email: string | null;
    /** Tipo de documento de identidad. */
    document_type: Open<"CC" | "TI" | "NIT" | "CE" | "PASAPORTE"> | null;
    /** Número de documento. */
    document_number: string | null;
}
export interface OrderFulfilment {
    /** `pickup`, lo recogen; `delivery`, se lleva; `dine_in`, en una mesa. */
    type: Open<"pickup" | "delivery" | "dine_in">;
    /** Dirección. */
    address: string | null;
    /** Código DANE del municipio. */
    municipality: string | null;
    /** Indicaciones para llegar o para la mesa. */
    notes: string | null;
    /** La mesa. */
    table: string | null;
}
export interface OrderItem {
    /** Tipo del objeto; siempre este valor. */
    object: "order_item";
    /** Identificador único. */
    id: string;
    /** El producto. */
    product_id: string;
    /** La variante, si la hay. */
    variant_id: string | null;
    /** Producto, variante y presentación, como quedaron. */
    description: string;
    /** En unidades del producto: dos cajas de 24 son 48. */
    quantity: number;
    /** Precio de una unidad con los impuestos porcentuales, antes de `discount`. */
    unit_price: number;
    /** Lo que se rebaja de cada unidad. */
    discount: number;
    /** El precio de una unidad en el negocio cuando se hizo el pedido. */
    catalog_price: number;
    /** `true`: el precio dado no es el del negocio. */
    price_differs: boolean;
    /** Valor de la línea, impuestos incluidos. */
    subtotal: number;
    /** Clase fiscal: `standard` hereda del perfil fiscal del negocio; las demás fijan su propio tratamiento. */
    tax_class: string;
    /** Impuestos de la línea, como quedaron en ese momento; `null` si no se conocen. */
    taxes: LineTax[];
    /** Cómo lo quieren. */
    notes: string | null;
}
export interface OrderPayment {
    /** `paid`, ya se pagó; `pending`, se paga al recibir. */
    status: Open<"paid" | "pending">;
    /** Medio de pago. */
    method: Open<"CASH" | "CARD" | "CREDIT_CARD" | "DEBIT_CARD" | "TRANSFER" | "NEQUI" | "DAVIPLATA" | "BRE_B" | "CHEQUE" | "BONO" | "FIADO" | "CREDIT" | "OTHER"> | null;
    /** El número con que lo conoce quien cobró. */
    reference: string | null;
    /** Valor en pesos. */
    amount: number;
}
export interface Order {
    /** Tipo del objeto; siempre este valor. */
    object: "order";
    /** Identificador único. */
    id: string;
    /** Corto y propio de la cuenta: lo que la gente dice. */
    number: number;
    /** Dónde va el pedido. */
    status: Open<"placed" | "accepted" | "ready" | "completed" | "rejected" | "cancelled" | "expired">;
    /** De dónde viene: lo que se envió, o el nombre de la clave. */
    source: string;
    /** El cliente, si se identificó. */
    customer_id: string | null;
    contact: OrderContact;
    fulfilment: OrderFulfilment;
    /** Para cuándo se pide. */
    due_at: string | null;
    /** Para cuándo lo prometió quien lo aceptó. */
    promised_at: string | null;
    /** Si nadie lo aceptó hasta entonces, vence. */
    accept_by: string | null;
    /** Si no se entregó hasta entonces, vence. */
    expires_at: string | null;
    /** `current`, los del negocio; `given`, los acordados en otra parte. */
    prices: Open<"current" | "given">;
    /** Las líneas. */
    items: OrderItem[];
    /** Domicilio, impuestos incluidos; se vende como un servicio. */
    delivery_fee: number;
    /** Suma de las líneas y del domicilio, impuestos incluidos. */
    subtotal: number;
    /** Descuento en pesos. */
    discount: number;
    /** Parte del total que es impuesto. */
    tax: number;
    /** Propina. */
    tip: number;
    /** `subtotal` − `discount` + `tip`. */
    total: number;
    /** Impuestos por código y tarifa; `null` si no se conocen. */
    tax_breakdown: TaxTotal[];
    /** `true`: alguna línea tiene un precio que no es el del negocio. */
    price_differs: boolean;
    payment: OrderPayment;
    /** Notas libres. */
    notes: string | null;
    /** La venta con que se entregó. */
    sale_id: string | null;
    /** Otras ventas que dijeron ser de este pedido; ninguna lo entregó. */
    extra_sale_ids: string[];
    /** La caja que lo aceptó; `null` si nadie o desde el portal. */
    register_id: string | null;
    /** Por qué lo rechazó el negocio. */
    rejected_reason: string | null;
    /** Por qué lo canceló quien lo hizo. */
    cancelled_reason: string | null;
    /** Cuándo se aceptó. */
    accepted_at: string | null;
    /** Cuándo quedó listo. */
    ready_at: string | null;
    /** Cuándo se entregó. */
    completed_at: string | null;
    /** Cuándo se rechazó. */
    rejected_at: string | null;
    /** Cuándo se canceló. */
    cancelled_at: string | null;
    /** Cuándo venció. */
    expired_at: string | null;
    /** Su identificador en otro sistema. Sin el campo, ninguno. */
    external_id?: string;
    /** Campos propios del negocio, por clave. Sin el campo, ninguno. */
    metadata?: Record<string, string>;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`. */
    location_id?: string;
}
export interface OrderChanges {
    /** Las líneas. */
    items?: Array<{
        product_id?: string | null;
        sku?: string | null;
        barcode?: string | null;
        variant_id?: string | null;
        quantity: number;
        unit_price?: number | null;
        discount?: number | null;
        notes?: string | null;
    }>;
    /** Domicilio, impuestos incluidos. */
    delivery_fee?: number;
    /** Descuento en pesos. */
    discount?: number;
    /** Propina. */
    tip?: number;
    /** Quién lo hizo, si no es un cliente registrado. */
    contact?: {
        name: string;
        phone?: string | null;
        email?: string | null;
        document_type?: "CC" | "TI" | "NIT" | "CE" | "PASAPORTE" | null;
        document_number?: string | null;
    } | null;
    /** Para cuándo se pide. */
    due_at?: string | null;
    /** Notas libres. */
    notes?: string | null;
    /** Cómo se paga; `null` si no se dijo. */
    payment?: {
        status: "paid" | "pending";
        method?: "CASH" | "CARD" | "CREDIT_CARD" | "DEBIT_CARD" | "TRANSFER" | "NEQUI" | "DAVIPLATA" | "BRE_B" | "CHEQUE" | "BONO" | "FIADO" | "CREDIT" | "OTHER" | null;
        reference?: string | null;
        amount?: number | null;
    };
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
}
export interface Location {
    /** Tipo del objeto; siempre este valor. */
    object: "location";
    /** Identificador único. */
    id: string;
    /** Nombre. */
    name: string;
    /** Dirección. */
    address: string | null;
    /** Código DANE del municipio, como lo pide la DIAN. */
    municipality: string | null;
    /** Teléfono, como lo escribió el negocio. */
    phone: string | null;
    /** Código del establecimiento de comercio. */
    establishment_code: string | null;
    /** `null`: el del negocio. */
    ticket_header: string | null;
    /** `null`: el del negocio. */
    ticket_footer: string | null;
    /** De dónde toman existencias las ventas de sus cajas; `null`: la predeterminada del negocio. */
    default_warehouse_id: string | null;
    /** Su color en las gráficas. */
    color: string | null;
    /** La sede con que nació el negocio. Es la de todo registro sin `location_id`. */
    is_first: boolean;
    /** Si está en uso. */
    active: boolean;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
}
export interface NewSupplier {
    /** Nombre o razón social. */
    name: string;
    /** Tipo de documento; por omisión, `NIT`. */
    document_type?: "CC" | "TI" | "NIT" | "CE" | "PASAPORTE" | null;
    /** Su NIT con dígito de verificación, o su documento; distinto del de los demás. */
    document_number?: string | null;
    /** Con quién se habla. */
    contact_name?: string | null;
    /** A donde se le envían los pedidos. */
    email?: string | null;
    /** Teléfono, como lo escribió el negocio. */
    phone?: string | null;
    /** Días que da para pagar; por omisión 0, de contado. */
    term_days?: number | null;
    /** Notas del negocio sobre él. */
    notes?: string | null;
    /** `false`: ya no se le compra; por omisión, `true`. */
    active?: boolean | null;
    /** Su identificador en otro sistema, único entre los registros de su clase que no están eliminados. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
}
export interface Supplier {
    /** Tipo del objeto; siempre este valor. */
    object: "supplier";
    /** Identificador único. */
    id: string;
    /** Nombre o razón social. */
    name: string;
    /** Tipo de documento de identidad. */
    document_type: Open<"CC" | "TI" | "NIT" | "CE" | "PASAPORTE">;
    /** Su NIT o documento, como se escribió. */
    document_number: string | null;
    /** Con quién se habla. */
    contact_name: string | null;
    /** A donde se le envían los pedidos. */
    email: string | null;
    /** Teléfono, como lo escribió el negocio. */
    phone: string | null;
    /** Días que da para pagar; 0, de contado. */
    term_days: number;
    /** Notas del negocio sobre él. */
    notes: string | null;
    /** `false`: ya no se le compra. */
    active: boolean;
    /** Su identificador en otro sistema. Sin el campo, ninguno. */
    external_id?: string;
    /** Campos propios del negocio, por clave. Sin el campo, ninguno. */
    metadata?: Record<string, string>;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
}
export interface SupplierChanges {
    /** Nombre o razón social. */
    name?: string;
    /** Tipo de documento de identidad. */
    document_type?: "CC" | "TI" | "NIT" | "CE" | "PASAPORTE";
    /** Número de documento. */
    document_number?: string | null;
    /** Con quién se habla. */
    contact_name?: string | null;
    /** A donde se le envían los pedidos. */
    email?: string | null;
    /** Teléfono, como lo escribió el negocio. */
    phone?: string | null;
    /** Días que da para pagar; 0, de contado. */
    term_days?: number;
    /** Notas del negocio sobre él. */
    notes?: string | null;
    /** `false`: ya no se le compra. */
    active?: boolean;
    /** Su identificador en otro sistema, único entre los registros de su clase que no están eliminados. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
}
export interface NewPurchase {
    /** El proveedor. */
    supplier_id: string;
    /** A dónde llega; por omisión, la bodega predeterminada. */
    warehouse_id?: string | null;
    /** Lo que se compra. */
    lines: Array<{
        product_id?: string | null;
        sku?: string | null;
        barcode?: string | null;
        supplier_code?: string | null;
        description?: string | null;
        unit?: string | null;
        factor?: number | null;
        quantity: number;
        unit_cost: number;
        discount?: number | null;
        taxes?: Array<{
            code: "01" | "04" | "22" | "34" | "35";
            rate?: number | null;
            amount?: number | null;
        }> | null;
        weight?: number | null;
    }>;
    /** Fletes, seguros y demás cargos, que se reparten entre las líneas. */
    charges?: Array<{
        description: string;
        amount: number;
        tax?: number | null;
        spread_by?: "value" | "quantity" | "weight" | null;
        in_invoice?: boolean | null;
    }> | null;
    /** Número de la factura del proveedor; uno por proveedor. */
    invoice_number?: string | null;
    /** Fecha de la factura del proveedor. */
    invoice_date?: string | null;
    /** Cuándo se paga; por omisión, la fecha de la factura más el plazo del proveedor. */
    due_date?: string | null;
    /** `draft`, borrador (por omisión); `ordered`, ya se pidió. */
    status?: "draft" | "ordered" | null;
    /** Notas libres. */
    notes?: string | null;
    /** Su identificador en otro sistema, único entre los registros de su clase que no están eliminados. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
}
export interface PurchaseTax {
    /** Código del tributo ante la DIAN: `01` IVA, `03` ICA, `04` INC, `22` INC bolsas. */
    code: string;
    /** Tarifa en porcentaje; `null` si es un valor por unidad. */
    rate: number | null;
    /** Valor en pesos. */
    amount: number;
    /** `true`: IVA que el negocio descuenta; no hace parte del costo. Lo demás sí. */
    recoverable: boolean;
}
export interface PurchaseLine {
    /** Tipo del objeto; siempre este valor. */
    object: "purchase_line";
    /** Identificador único. */
    id: string;
    /** `null`: lo nombra la factura y nadie ha dicho qué producto es. */
    product_id: string | null;
    /** La variante, si la hay. */
    variant_id: string | null;
    /** Cómo lo llama el proveedor. */
    supplier_code: string | null;
    /** Descripción. */
    description: string;
    /** En qué se compra: «Caja x24», «Bulto de 50 kg». */
    unit: string;
    /** Unidades base del producto en una unidad de compra. */
    factor: number;
    /** En unidades de compra. */
    quantity: number;
    /** Costo de una unidad de compra, sin impuestos y antes de `discount`. */
    unit_cost: number;
    /** Pesos que se rebajan de toda la línea. */
    discount: number;
    /** Impuestos de la línea, como quedaron en ese momento; `null` si no se conocen. */
    taxes: PurchaseTax[];
    /** Kilos de toda la línea, para repartir por peso. */
    weight: number | null;
    /** Cantidad por costo menos descuento, sin impuestos. */
    subtotal: number;
    /** Parte del total que es impuesto. */
    tax: number;
    /** `subtotal` + `tax`. */
    total: number;
    /** Costo de una unidad base puesta en el negocio: con su parte de fletes y sin el IVA que se descuenta. */
    landed_unit_cost: number;
    /** Recibido, en unidades de compra, sin lo que se corrigió. */
    received: number;
    /** De lo recibido, lo que se devolvió al proveedor. */
    returned: number;
}
export interface PurchaseCharge {
    /** Tipo del objeto; siempre este valor. */
    object: "purchase_charge";
    /** Identificador único. */
    id: string;
    /** Descripción. */
    description: string;
    /** Sin el IVA que se descuenta. */
    amount: number;
    /** IVA que se descuenta; no entra al costo. */
    tax: number;
    /** `value`, por valor; `quantity`, por unidades; `weight`, por peso. */
    spread_by: Open<"value" | "quantity" | "weight">;
    /** `false`: lo cobra otro, y no se le debe a este proveedor. */
    in_invoice: boolean;
}
export interface PurchaseReceiptLine {
    /** La línea de la compra. */
    line_id: string;
    /** El producto. */
    product_id: string;
    /** La variante, si la hay. */
    variant_id: string | null;
    /** En unidades de compra. */
    quantity: number;
    /** En unidades base del producto. */
    base_quantity: number;
    /** Costo puesto por unidad base con que se movieron las existencias. */
    unit_cost: number;
    /** El movimiento de inventario. */
    movement_id: string;
}
export interface PurchaseReceipt {
    /** Tipo del objeto; siempre este valor. */
    object: "purchase_receipt";
    /** Identificador único. */
    id: string;
    /** 1, 2, 3… dentro de la compra. */
    number: number;
    /** `receipt`, llegó; `return`, se devolvió al proveedor; `correction`, se había recibido mal. */
    kind: Open<"receipt" | "return" | "correction">;
    /** La recepción que corrige. */
    corrects: string | null;
    /** La bodega en que entró o de la que salió. */
    warehouse_id: string;
    /** Remisión o guía con que llegó. */
    reference: string | null;
    /** Notas libres. */
    notes: string | null;
    /** Lo que cambió lo que se le debe al proveedor. */
    owed: number;
    /** Lo que se movió. */
    lines: PurchaseReceiptLine[];
    /** Cuándo llegó al servidor. */
    created_at: string;
}
export interface Purchase {
    /** Tipo del objeto; siempre este valor. */
    object: "purchase";
    /** Identificador único. */
    id: string;
    /** Corto y propio de la cuenta. */
    number: number;
    /** `draft`, borrador; `ordered`, pedida; `partly_received` y `received`, según lo que llegó; `closed`, no se espera más; `cancelled`. */
    status: Open<"draft" | "ordered" | "partly_received" | "received" | "closed" | "cancelled">;
    /** El proveedor. */
    supplier_id: string;
    /** Cómo se llamaba el proveedor. */
    supplier_name: string;
    /** La bodega a la que llega, si la recepción no dice otra. */
    warehouse_id: string;
    /** Número de la factura del proveedor. */
    invoice_number: string | null;
    /** Fecha de la factura del proveedor. */
    invoice_date: string | null;
    /** Cuándo se paga; por omisión, la fecha de la factura o de la primera recepción más el plazo. */
    due_date: string | null;
    /** CUFE de su factura electrónica, si de ella salió la compra. */
    cufe: string | null;
    /** Lo que se compra. */
    lines: PurchaseLine[];
    /** Fletes, seguros y demás cargos, que se reparten entre las líneas. */
    charges: PurchaseCharge[];
    /** Suma de las líneas, sin impuestos. */
    subtotal: number;
    /** Suma de los descuentos de las líneas. */
    discount: number;
    /** Impuestos de las líneas. */
    tax: number;
    /** Impuestos por código y tarifa; `null` si no se conocen. */
    tax_breakdown: TaxTotal[];
    /** Fletes y demás cargos, con sus impuestos. */
    charges_total: number;
    /** Ajuste al peso de la factura del proveedor. */
    rounding: number;
    /** `subtotal` + `tax` + los cargos que cobra este proveedor + `rounding`. */
    total: number;
    /** Lo que se debe por lo recibido, sin lo devuelto. */
    owed: number;
    /** Lo que ya se pagó de eso. */
    paid: number;
    /** Lo que llegó, lo que se devolvió y lo que se corrigió, en su orden. */
    receipts: PurchaseReceipt[];
    /** Notas libres. */
    notes: string | null;
    /** Por qué se canceló. */
    cancelled_reason: string | null;
    /** Cuándo se pidió. */
    ordered_at: string | null;
    /** Cuándo llegó lo último. */
    received_at: string | null;
    /** Cuándo se cerró. */
    closed_at: string | null;
    /** Cuándo se canceló. */
    cancelled_at: string | null;
    /** Su identificador en otro sistema. Sin el campo, ninguno. */
    external_id?: string;
    /** Campos propios del negocio, por clave. Sin el campo, ninguno. */
    metadata?: Record<string, string>;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Cuándo cambió por última vez lo que aquí se muestra. */
    updated_at: string;
    /** Número de la versión: 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la de mayor `version`; una sin `version` es anterior a todas. */
    version?: number;
    /** Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`. */
    location_id?: string;
}
export interface PurchaseChanges {
    /** El proveedor. */
    supplier_id?: string;
    /** A dónde llega. */
    warehouse_id?: string;
    /** Lo que se compra. */
    lines?: Array<{
        product_id?: string | null;
        sku?: string | null;
        barcode?: string | null;
        supplier_code?: string | null;
        description?: string | null;
        unit?: string | null;
        factor?: number | null;
        quantity: number;
        unit_cost: number;
        discount?: number | null;
        taxes?: Array<{
            code: "01" | "04" | "22" | "34" | "35";
            rate?: number | null;
            amount?: number | null;
        }> | null;
        weight?: number | null;
    }>;
    /** Fletes, seguros y demás cargos, que se reparten entre las líneas. */
    charges?: Array<{
        description: string;
        amount: number;
        tax?: number | null;
        spread_by?: "value" | "quantity" | "weight" | null;
        in_invoice?: boolean | null;
    }>;
    /** Número de la factura del proveedor; uno por proveedor. */
    invoice_number?: string | null;
    /** Fecha de la factura del proveedor. */
    invoice_date?: string | null;
    /** Cuándo se paga; por omisión, la fecha de la factura más el plazo del proveedor. */
    due_date?: string | null;
    /** `ordered`, se pidió; `closed`, no se espera más; `cancelled`, no se compra. */
    status?: "ordered" | "closed" | "cancelled";
    /** Con `status: "cancelled"`, por qué. */
    cancelled_reason?: string | null;
    /** Notas libres. */
    notes?: string | null;
    /** Su identificador en otro sistema, único entre los registros de su clase que no están eliminados. */
    external_id?: string | null;
    /** Campos propios: hasta 50 claves de 40 caracteres, con textos de 500. Se agregan a los que hay; un texto vacío o `null` quita su clave, y `metadata: null` las quita todas. */
    metadata?: Record<string, string | null> | null;
}
export interface NewProductVariant {
    /** Nombre de la variante, por ejemplo talla y color. */
    label: string;
    /** Código interno o de barras, único entre los productos y variantes de la cuenta. */
    sku?: string | null;
    /** Precio de lista; por omisión, `final_price`. Con 0 la caja usa el precio del producto. */
    base_price?: number | null;
    /** Por omisión, `base_price` menos `percent_discount`. */
    final_price?: number | null;
    /** Descuento sobre `base_price`, de 0 a 100. */
    percent_discount?: number | null;
    /** Direcciones de las imágenes. */
    images?: string[] | null;
    /** Si es la predeterminada. */
    is_default?: boolean | null;
    /** Si está en uso. */
    active?: boolean | null;
}
export interface ProductVariantChanges {
    /** Nombre de la variante, por ejemplo talla y color. */
    label?: string;
    /** Código interno o de barras, único entre los productos y variantes de la cuenta. */
    sku?: string | null;
    /** Precio de lista en pesos. */
    base_price?: number;
    /** Precio en pesos al que vende la caja. */
    final_price?: number;
    /** Descuento sobre `base_price`, de 0 a 100. */
    percent_discount?: number;
    /** Direcciones de las imágenes. */
    images?: string[];
    /** Si es la predeterminada. */
    is_default?: boolean;
    /** Si está en uso. */
    active?: boolean;
}
export interface NewOrderPreview {
    /** La sede; por omisión, la del municipio del domicilio o la primera. */
    location_id?: string | null;
    /** Cómo se entrega; por omisión, `pickup`. */
    fulfilment?: {
        type: "pickup" | "delivery" | "dine_in";
        address?: string | null;
        municipality?: string | null;
        notes?: string | null;
        table?: string | null;
    } | null;
    /** `current` (por omisión), los del negocio; `given`, los acordados en otra parte. */
    prices?: "current" | "given" | null;
    /** Las líneas. */
    items: Array<{
        product_id?: string | null;
        sku?: string | null;
        barcode?: string | null;
        variant_id?: string | null;
        quantity: number;
        unit_price?: number | null;
        discount?: number | null;
        notes?: string | null;
    }>;
    /** Domicilio, impuestos incluidos. */
    delivery_fee?: number | null;
    /** Rebaja de todo el pedido, en pesos. */
    discount?: number | null;
    /** Propina. */
    tip?: number | null;
}
export interface OrderPreviewItem {
    /** Tipo del objeto; siempre este valor. */
    object: "order_preview_item";
    /** El producto. */
    product_id: string;
    /** La variante, si la hay. */
    variant_id: string | null;
    /** Producto, variante y presentación. */
    description: string;
    /** En unidades del producto: dos cajas de 24 son 48. */
    quantity: number;
    /** Precio de una unidad con los impuestos porcentuales, antes de `discount`. */
    unit_price: number;
    /** Lo que se rebaja de cada unidad. */
    discount: number;
    /** El precio de una unidad en el negocio cuando se hizo el pedido. */
    catalog_price: number;
    /** `true`: el precio dado no es el del negocio. */
    price_differs: boolean;
    /** Valor de la línea, impuestos incluidos. */
    subtotal: number;
    /** Clase fiscal: `standard` hereda del perfil fiscal del negocio; las demás fijan su propio tratamiento. */
    tax_class: string;
    /** Impuestos de la línea, como quedaron en ese momento; `null` si no se conocen. */
    taxes: LineTax[];
    /** Cómo lo quieren. */
    notes: string | null;
}
export interface OrderAvailability {
    /** El producto. */
    product_id: string;
    /** Lo que piden todas las líneas de este producto. */
    requested: number;
    /** Existencias de la bodega de la sede menos lo apartado; `null` si no lleva existencias. */
    available: number | null;
    /** `true` si alcanza, o si no lleva existencias. */
    is_enough: boolean;
}
export interface OrderPreview {
    /** Tipo del objeto; siempre este valor. */
    object: "order_preview";
    /** La sede que lo recibiría. */
    location_id: string;
    /** Las líneas. */
    items: OrderPreviewItem[];
    /** Domicilio, impuestos incluidos; se vende como un servicio. */
    delivery_fee: number;
    /** Suma de las líneas y del domicilio, impuestos incluidos. */
    subtotal: number;
    /** Descuento en pesos. */
    discount: number;
    /** Parte del total que es impuesto. */
    tax: number;
    /** Propina. */
    tip: number;
    /** `subtotal` − `discount` + `tip`. */
    total: number;
    /** Impuestos por código y tarifa; `null` si no se conocen. */
    tax_breakdown: TaxTotal[];
    /** `true`: alguna línea tiene un precio que no es el del negocio. */
    price_differs: boolean;
    /** Por producto, en la bodega de esa sede. */
    availability: OrderAvailability[];
}
export interface NewOrderCancel {
    /** Por qué; lo lee quien atiende. */
    reason?: string | null;
}
export interface NewPurchaseReceipt {
    /** `receipt`, llegó (por omisión); `return`, se devuelve al proveedor; `correction`, se había recibido mal. */
    kind?: "receipt" | "return" | "correction" | null;
    /** Con `correction`, la recepción que se había escrito mal. */
    corrects?: string | null;
    /** La bodega; por omisión, la de la compra o la de lo que se corrige. */
    warehouse_id?: string | null;
    /** Por omisión, todo lo que falta por recibir; en una corrección, todo lo que decía. */
    lines?: Array<{
        line_id: string;
        quantity: number;
    }> | null;
    /** Remisión o guía con que llegó. */
    reference?: string | null;
    /** Notas libres. */
    notes?: string | null;
}
export interface StockLevel {
    /** Tipo del objeto; siempre este valor. */
    object: "stock_level";
    /** El producto. */
    product_id: string;
    /** Siempre `null` por ahora: las variantes no llevan existencias. */
    variant_id: string | null;
    /** La bodega; `null` si sus movimientos no nombraron ninguna. */
    warehouse_id: string | null;
    /** Existencias en unidades base, con hasta tres decimales; pueden ser negativas. */
    quantity: number;
    /** De esas, lo que apartan los pedidos aceptados que no se han entregado. */
    reserved: number;
}
export interface ApiKey {
    /** Tipo del objeto; siempre este valor. */
    object: "api_key";
    /** Identificador único. */
    id: string;
    /** Cómo se llama en el portal. */
    name: string | null;
    /** El ambiente de esta instalación y de la clave. */
    environment: Open<"test" | "live">;
    /** Sus permisos. */
    scopes: Array<Open<"customers:read" | "customers:write" | "products:read" | "products:write" | "sales:read" | "invoices:read" | "inventory:read" | "inventory:write" | "cash:read" | "quotes:read" | "orders:read" | "orders:write" | "suppliers:read" | "suppliers:write" | "purchases:read" | "purchases:write" | "events:read" | "audit:read" | "clock:write">>;
    /** Cuándo vence; `null` si no vence. */
    expires_at: string | null;
    /** El negocio al que pertenece. */
    account: {
        id: string;
        name: string;
        plan: string;
    };
    /** Lo que esta clave puede pedir. */
    limits: {
        requests_per_second: number | null;
        burst: number | null;
        body_bytes: number;
        batch_items: number;
    };
}
export interface AuditLogEntry {
    /** Tipo del objeto; siempre este valor. */
    object: "audit_log_entry";
    /** Identificador único. */
    id: string;
    /** Su número en la cuenta, sin huecos. */
    sequence: number;
    /** Cuándo llegó al servidor. */
    created_at: string;
    /** Qué se hizo. */
    action: string;
    /** Quién lo hizo. */
    actor: {
        type: Open<"owner" | "operator" | "register" | "service" | "stranger" | "assistant">;
        person_id: string | null;
        name: string | null;
        role: string | null;
    };
    /** Desde qué dirección IP, si se conoce. */
    remote_address: string | null;
    /** Sobre qué registro, si fue sobre uno. */
    record: {
        object: Open<"sale" | "invoice" | "product" | "customer" | "api_key" | "webhook_endpoint" | "register">;
        id: string;
    } | null;
    /** Lo demás; en un cambio, `before` y `after` dicen qué había y qué quedó. */
    details: Record<string, undefined>;
    /** El `hash` de la línea anterior; vacío en la primera. */
    previous_hash: string;
    /** SHA-256 de la línea y de la anterior. */
    hash: string;
}
export interface WebhookEndpoint {
    /** Tipo del objeto; siempre este valor. */
    object: "webhook_endpoint";
    /** Identificador único. */
    id: string;
    /** Cómo lo llamó el dueño. */
    name: string | null;
    /** El servidor de su dirección. */
    host: string;
    /** Cómo está al decirlo. */
    status: Open<"active" | "paused" | "deactivated">;
    /** Intentos fallidos seguidos, sin contar pruebas. */
    consecutive_failures: number;
    /** Desde cuándo falla sin ninguna entrega; `null` si no falla. */
    failing_since: string | null;
    /** El último intento que falló. */
    last_failure: {
        at: string;
        failure: string;
        status: number | null;
    } | null;
    /** Crece con cada aviso de este endpoint. */
    version: number;
    /** Cuándo se agregó. */
    created_at: string;
    /** Cuándo ocurrió lo que se dice. */
    updated_at: string;
}
export interface WebhookDelivery {
    /** Identificador del evento, igual en cada reintento: úselo para descartar repetidos. */
    id: string;
    /** Tipo del evento. */
    type: string;
    /** Cuándo ocurrió. */
    created_at: string;
    /** Lugar del evento entre los de la cuenta: mayor en cada evento, con saltos. Las pruebas no lo llevan. */
    sequence?: number;
    /** Versión del formato; hoy, `2026-09-28`. */
    api_version: string;
    /** Contiene `object`, el recurso del evento. */
    data: {
        object: Record<string, undefined>;
    };
}
export interface Test {
    /** Siempre `test`. */
    object: "test";
    /** Identificador de la prueba. */
    id: string;
    /** Texto fijo que dice que es una prueba. */
    message: string;
    /** Cuándo se pidió. */
    created_at: string;
}
export interface CustomersFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Correo exacto, sin distinguir mayúsculas. */
    email?: string | undefined;
    /** Número de documento exacto. */
    documentNumber?: string | undefined;
    /** Identificador exacto en otro sistema. */
    externalId?: string | undefined;
    /** Búsqueda de texto, sin distinguir mayúsculas ni tildes. */
    q?: string | undefined;
    /** `true` incluye los registros eliminados, que llevan `deleted_at`. */
    includeDeleted?: boolean | undefined;
}
export interface CategoriesFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Búsqueda de texto, sin distinguir mayúsculas ni tildes. */
    q?: string | undefined;
    /** `true` incluye los registros eliminados, que llevan `deleted_at`. */
    includeDeleted?: boolean | undefined;
}
export interface ProductsFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Solo activos (`true`) o inactivos (`false`). */
    active?: boolean | undefined;
    /** Productos de esa categoría. */
    categoryId?: string | undefined;
    /** SKU exacto del producto o de una de sus variantes. */
    sku?: string | undefined;
    /** Cualquier código exacto del producto: su SKU, el de una variante o uno de `barcodes`. */
    barcode?: string | undefined;
    /** Identificador exacto en otro sistema. */
    externalId?: string | undefined;
    /** Búsqueda de texto, sin distinguir mayúsculas ni tildes. */
    q?: string | undefined;
    /** `true` incluye los registros eliminados, que llevan `deleted_at`. */
    includeDeleted?: boolean | undefined;
}
export interface SalesFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Estado exacto, por ejemplo `completed`. */
    status?: string | undefined;
    /** Documento pedido al pagar: `pos` o `invoice`. */
    documentKind?: "pos" | "invoice" | undefined;
    /** Ventas de ese cliente. */
    customerId?: string | undefined;
    /** Ventas de ese turno de caja. */
    cashSessionId?: string | undefined;
    /** Identificador exacto en otro sistema. */
    externalId?: string | undefined;
    /** Registradas en la caja desde este instante, inclusive. */
    occurredSince?: Instant | undefined;
    /** Registradas en la caja antes de este instante. */
    occurredUntil?: Instant | undefined;
    /** De esa sede, también los registros de la primera que no la nombran. */
    locationId?: string | undefined;
}
export interface ReturnsFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Devoluciones de esa venta. */
    saleId?: string | undefined;
    /** Devoluciones pagadas de ese turno de caja. */
    cashSessionId?: string | undefined;
    /** Hechas desde este instante, inclusive. */
    occurredSince?: Instant | undefined;
    /** Hechas antes de este instante. */
    occurredUntil?: Instant | undefined;
    /** De esa sede, también los registros de la primera que no la nombran. */
    locationId?: string | undefined;
}
export interface InvoicesFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Estado del documento. */
    status?: "pending" | "issued" | "rejected" | "emission_failed" | "annulled" | undefined;
    /** Clase de documento. */
    documentType?: "electronic_invoice" | "pos_document" | "pos_adjustment_note" | "internal_invoice" | "other" | undefined;
    /** Documentos de esa venta. */
    saleId?: string | undefined;
    /** Con fecha propia desde este instante, inclusive. */
    issuedSince?: Instant | undefined;
    /** Con fecha propia antes de este instante. */
    issuedUntil?: Instant | undefined;
    /** De esa sede, también los registros de la primera que no la nombran. */
    locationId?: string | undefined;
}
export interface StockMovementsFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Movimientos de ese producto. */
    productId?: string | undefined;
    /** Movimientos de esa bodega. */
    warehouseId?: string | undefined;
    /** Tipo exacto. */
    type?: string | undefined;
    /** De esa sede, también los registros de la primera que no la nombran. */
    locationId?: string | undefined;
}
export interface WarehousesFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Solo activas (`true`) o inactivas (`false`). */
    active?: boolean | undefined;
    /** Solo las de esa sede; no las de todo el negocio. */
    locationId?: string | undefined;
}
export interface CashSessionsFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Estado del turno. */
    status?: "open" | "closed" | "suspended" | undefined;
    /** De esa sede, también los registros de la primera que no la nombran. */
    locationId?: string | undefined;
}
export interface QuotesFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Estado exacto, con el vencimiento ya aplicado. */
    status?: "draft" | "sent" | "accepted" | "rejected" | "expired" | "converted" | undefined;
    /** Cotizaciones de ese cliente. */
    customerId?: string | undefined;
    /** Identificador exacto en otro sistema. */
    externalId?: string | undefined;
    /** De esa sede, también los registros de la primera que no la nombran. */
    locationId?: string | undefined;
}
export interface OrdersFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Estado exacto. */
    status?: "placed" | "accepted" | "ready" | "completed" | "rejected" | "cancelled" | "expired" | undefined;
    /** De esa fuente, en mayúsculas o minúsculas. */
    source?: string | undefined;
    /** Identificador exacto en otro sistema. */
    externalId?: string | undefined;
    /** Pedidos de ese cliente. */
    customerId?: string | undefined;
    /** Pedidos para este instante o después. */
    dueSince?: Instant | undefined;
    /** Pedidos para antes de este instante. */
    dueUntil?: Instant | undefined;
    /** De esa sede, también los registros de la primera que no la nombran. */
    locationId?: string | undefined;
}
export interface LocationsFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Solo abiertas (`true`) o cerradas (`false`). */
    active?: boolean | undefined;
}
export interface SuppliersFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** NIT o documento, con o sin puntos y dígito de verificación. */
    documentNumber?: string | undefined;
    /** Solo a los que se les compra (`true`) o a los que ya no (`false`). */
    active?: boolean | undefined;
    /** Identificador exacto en otro sistema. */
    externalId?: string | undefined;
    /** Búsqueda de texto, sin distinguir mayúsculas ni tildes. */
    q?: string | undefined;
}
export interface PurchasesFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona. */
    updatedSince?: Instant | undefined;
    /** Estado exacto. */
    status?: "draft" | "ordered" | "partly_received" | "received" | "closed" | "cancelled" | undefined;
    /** Compras a ese proveedor. */
    supplierId?: string | undefined;
    /** Número exacto de la factura del proveedor. */
    invoiceNumber?: string | undefined;
    /** Identificador exacto en otro sistema. */
    externalId?: string | undefined;
    /** Búsqueda de texto, sin distinguir mayúsculas ni tildes. */
    q?: string | undefined;
    /** De esa sede, también los registros de la primera que no la nombran. */
    locationId?: string | undefined;
}
export interface StockLevelsFilters {
    /** Existencias de ese producto. */
    productId?: string | undefined;
    /** Existencias de esa bodega. */
    warehouseId?: string | undefined;
}
export interface EventsFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Un tipo de evento, o hasta 20 separados por comas. */
    type?: string | undefined;
    /** `asc` va del más antiguo al más nuevo y conserva `next_cursor` al final, para seguir la bitácora sin perder nada. */
    order?: "desc" | "asc" | undefined;
}
export interface AuditLogEntriesFilters {
    /** Desde este instante, inclusive. ISO 8601 con zona. */
    createdSince?: Instant | undefined;
    /** Hasta este instante, exclusive. ISO 8601 con zona. */
    createdUntil?: Instant | undefined;
    /** Solo lo que se hizo así: `api_key.create`. */
    action?: string | undefined;
    /** Solo lo que se hizo por ahí. */
    actor?: "owner" | "operator" | "register" | "service" | "stranger" | "assistant" | undefined;
    /** `asc` va de la primera línea a la última y conserva `next_cursor` al final, para seguir el registro sin perder nada. */
    order?: "desc" | "asc" | undefined;
}
/** What each type of event is about. */
export interface EventObjects {
    "sale.created": Sale;
    "sale.updated": Sale;
    "sale.completed": Sale;
    "sale.cancelled": Sale;
    "product.created": Product;
    "product.updated": Product;
    "customer.created": Customer;
    "customer.updated": Customer;
    "inventory.movement.created": StockMovement;
    "invoice.issued": Invoice;
    "invoice.rejected": Invoice;
    "cash_session.closed": CashSession;
    "product.deleted": Product;
    "customer.deleted": Customer;
    "return.created": Return;
    "quote.created": Quote;
    "quote.updated": Quote;
    "order.placed": Order;
    "order.accepted": Order;
    "order.ready": Order;
    "order.completed": Order;
    "order.rejected": Order;
    "order.cancelled": Order;
    "order.expired": Order;
    "supplier.created": Supplier;
    "supplier.updated": Supplier;
    "purchase.received": Purchase;
    "webhook_endpoint.failing": WebhookEndpoint;
    "webhook_endpoint.deactivated": WebhookEndpoint;
    "webhook_endpoint.recovered": WebhookEndpoint;
    "webhook.test": Test;
}
