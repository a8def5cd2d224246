// A program as an integrator writes it over a generated client. try-clients.ts runs it with the client's jar.

import java.math.BigDecimal;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ClientesApi;
import org.openapitools.client.api.EventosApi;
import org.openapitools.client.api.PedidosApi;
import org.openapitools.client.api.ProductosApi;
import org.openapitools.client.model.CustomerEvent;
import org.openapitools.client.model.NewCustomer;
import org.openapitools.client.model.NewOrder;
import org.openapitools.client.model.NewOrderItemsInner;
import org.openapitools.client.model.NewProduct;

public class TryClient {
    public static void main(String[] args) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(args[0]);
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
        var customers = new ClientesApi(client);
        var products = new ProductosApi(client);

        var listed = products.listProducts(5, null, null, null, null, null, null, null, null, null, null, null, null);
        check(listed.getData().size() == 5, "the demo shop has no five products");

        var customer = customers.createCustomer(once(), new NewCustomer().name("Ana"));
        check(customer.getPersonType().getValue().equals("person") && customer.getVersion() == 1, "the customer is not as it was made");
        try {
            customers.createCustomer(once(), new NewCustomer().name(" "));
            check(false, "a name of spaces was taken");
        } catch (ApiException error) {
            check(error.getCode() == 400 && error.getResponseBody().contains("VALIDATION_ERROR"), "another error came");
        }

        var product = products.createProduct(once(), new NewProduct().name("Pan").basePrice(1000));
        var line = new NewOrderItemsInner().productId(product.getId()).quantity(BigDecimal.valueOf(2));
        var order = new PedidosApi(client).createOrder(once(), new NewOrder().addItemsItem(line));
        check(order.getStatus().getValue().equals("placed"), "the order is not as it was made");
        check(order.getItems().get(0).getQuantity().compareTo(BigDecimal.valueOf(2)) == 0, "the order's line is another");

        var event = new EventosApi(client).listEvents(1, null, null, null, "customer.created", null, null).getData().get(0);
        var made = ((CustomerEvent) event.getActualInstance()).getData().getObject();
        check(made.getId().equals(customer.getId()), "the last event is of another customer");
    }

    private static String once() {
        return UUID.randomUUID().toString();
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new IllegalStateException(what);
    }
}
