<?php

/* La tienda y su receptor: php -S 127.0.0.1:4242 index.php */

declare(strict_types=1);

require __DIR__ . '/tienda.php';

/** El estado de WooCommerce para cada evento de un pedido. */
const ESTADOS = [
    'order.placed' => 'on-hold',
    'order.accepted' => 'processing',
    'order.ready' => 'processing',
    'order.completed' => 'completed',
    'order.rejected' => 'refunded',
    'order.expired' => 'refunded',
    'order.cancelled' => 'cancelled',
];

function responder(int $estado, mixed $datos = null): void
{
    http_response_code($estado);
    if ($datos !== null) {
        header('content-type: application/json');
        echo json_encode($datos, JSON_UNESCAPED_UNICODE);
    }
}

function comprar(): void
{
    $compra = json_decode(file_get_contents('php://input'), true);
    [$numero, $pedido] = con_tienda(function (array &$tienda) use ($compra): array {
        $lineas = array_map(fn (array $linea) => [
            'product_id' => $linea['product_id'],
            'quantity' => $linea['quantity'],
            'price' => $tienda['productos'][$linea['product_id']]['price'],
        ], $compra['lineas']);
        // Nunca se repite, aunque se borre lo guardado: un número repetido es para Mostrador el pedido de antes.
        $numero = 'WC-' . gmdate('ymd') . '-' . strtoupper(bin2hex(random_bytes(4)));
        $tienda['pedidos'][$numero] = ['status' => 'pending', 'version' => 0, 'lineas' => $lineas] + $compra;
        return [$numero, $tienda['pedidos'][$numero]];
    });
    $hecho = enviar($numero, $pedido);
    // Sin respuesta queda `pending`, y `sincronizar.php` lo envía otra vez con el mismo número.
    match (true) {
        $hecho === null => responder(202, ['numero' => $numero, 'status' => 'pending']),
        isset($hecho['error']) => responder(422, ['numero' => $numero, 'error' => $hecho['error']]),
        default => responder(201, ['numero' => $numero, 'mostrador' => $hecho['number'], 'total' => $hecho['total']]),
    };
}

function recibir(): void
{
    try {
        $firma = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null;
        $evento = Mostrador\Webhook::receive(file_get_contents('php://input'), $firma, getenv('MOSTRADOR_WEBHOOK_SECRET'));
    } catch (Mostrador\WebhookSignatureError) {
        responder(400);
        return;
    }
    $pedido = $evento['data']['object'];
    con_tienda(function (array &$tienda) use ($evento, $pedido): void {
        $numero = $pedido['external_id'] ?? '';
        $mio = $tienda['pedidos'][$numero] ?? null;
        $estado = ESTADOS[$evento['type']] ?? null;
        // Lo de otros no es nuestro, y de dos copias vale la de mayor versión: los eventos pueden llegar en desorden.
        if ($estado === null || $mio === null || $mio['version'] >= $pedido['version']) {
            return;
        }
        $nuevo = ['status' => $estado, 'version' => $pedido['version'], 'venta' => $pedido['sale_id']];
        $tienda['pedidos'][$numero] = $nuevo + $mio;
    });
    responder(204);
}

$ruta = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
match ($ruta) {
    'GET /productos' => responder(200, con_tienda(fn (array &$tienda) => $tienda['productos'])),
    'GET /pedidos' => responder(200, con_tienda(fn (array &$tienda) => $tienda['pedidos'])),
    'POST /comprar' => comprar(),
    'POST /webhooks/mostrador' => recibir(),
    default => responder(404),
};
