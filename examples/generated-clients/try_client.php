<?php
// A program as an integrator writes it over a generated client. try-clients.ts runs it in a folder with the client.

require 'GuzzleHttp/autoload.php';

spl_autoload_register(function (string $class): void {
    $prefix = 'OpenAPI\\Client\\';
    if (str_starts_with($class, $prefix)) {
        require __DIR__ . '/mostrador_php/lib/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    }
});

use OpenAPI\Client\Api\ClientesApi;
use OpenAPI\Client\Api\EventosApi;
use OpenAPI\Client\Api\PedidosApi;
use OpenAPI\Client\Api\ProductosApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\NewCustomer;
use OpenAPI\Client\Model\NewOrder;
use OpenAPI\Client\Model\NewProduct;

function check(bool $holds, string $what): void
{
    if (!$holds) {
        fwrite(STDERR, "$what\n");
        exit(1);
    }
}

// Every class of the client can be loaded.
foreach (['Api', 'Model'] as $folder) {
    foreach (glob(__DIR__ . "/mostrador_php/lib/$folder/*.php") as $file) {
        $name = 'OpenAPI\\Client\\' . $folder . '\\' . basename($file, '.php');
        check(class_exists($name) || interface_exists($name), "$name cannot be loaded");
    }
}

[, $url, $key] = $argv;
$config = (new Configuration())->setHost($url)->setAccessToken($key);
$http = new GuzzleHttp\Client();

$customers = new ClientesApi($http, $config);
$products = new ProductosApi($http, $config);

// PHP writes true as 1 and false as 0.
foreach ([true, false] as $active) {
    foreach ($products->listProducts(limit: 5, active: $active, include_deleted: true)->getData() as $product) {
        check($product->getActive() === $active, 'a filter by a boolean found other products');
    }
}
check(count($products->listProducts(limit: 5)->getData()) === 5, 'the demo shop has no five products');

$created = $customers->createCustomer(bin2hex(random_bytes(16)), new NewCustomer(['name' => 'Ana']));
check($created->getPersonType() === 'person' && $created->getVersion() === 1, 'the customer is not as it was made');
try {
    $customers->createCustomer(bin2hex(random_bytes(16)), new NewCustomer(['name' => ' ']));
    check(false, 'a name of spaces was taken');
} catch (ApiException $error) {
    check($error->getCode() === 400 && str_contains($error->getResponseBody(), 'VALIDATION_ERROR'), 'another error came');
}
$product = $products->createProduct(bin2hex(random_bytes(16)), new NewProduct(['name' => 'Pan', 'base_price' => 1000]));
$wanted = new NewOrder(['items' => [['product_id' => $product->getId(), 'quantity' => 2]]]);
$order = (new PedidosApi($http, $config))->createOrder(bin2hex(random_bytes(16)), $wanted);
check($order->getStatus() === 'placed' && (int) $order->getItems()[0]->getQuantity() === 2, 'the order is not as it was made');
// The generator has no union of types in PHP: an event is read as JSON, with the request that the client makes.
$request = (new EventosApi($http, $config))->listEventsRequest(limit: 1, type: 'customer.created');
$event = json_decode((string) $http->send($request)->getBody())->data[0];
check($event->data->object->id === $created->getId(), 'the last event is of another customer');
