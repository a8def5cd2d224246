<?php

/* Lo que guarda la tienda, con la forma de WooCommerce. En una tienda de verdad son wc_get_product() y wc_get_order(). */

declare(strict_types=1);

require_once getenv('MOSTRADOR_AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

function mostrador(): Mostrador\Mostrador
{
    return new Mostrador\Mostrador(
        apiKey: getenv('MOSTRADOR_API_KEY'),
        baseUrl: getenv('MOSTRADOR_URL') ?: 'http://127.0.0.1:3000',
    );
}

/** Lee lo guardado, deja que se cambie y lo guarda, con el archivo cerrado para los demás mientras tanto. */
function con_tienda(callable $cambiar): mixed
{
    $archivo = fopen(getenv('TIENDA') ?: __DIR__ . '/tienda.json', 'c+');
    flock($archivo, LOCK_EX);
    $tienda = json_decode(stream_get_contents($archivo) ?: '{}', true) + ['productos' => [], 'pedidos' => [], 'desde' => null];
    $respuesta = $cambiar($tienda);
    rewind($archivo);
    ftruncate($archivo, 0);
    fwrite($archivo, json_encode($tienda, JSON_UNESCAPED_UNICODE | JSON_PRETTY_PRINT));
    fclose($archivo);
    return $respuesta;
}

/**
 * El pedido de la tienda, enviado a Mostrador. Repetirlo no lo repite allá: lleva su número. Null si ahora no se pudo y hay que
 * repetirlo; con `error` si Mostrador dijo que no, y entonces se devuelve el dinero.
 */
function enviar(string $numero, array $pedido): ?array
{
    try {
        $hecho = mostrador()->orders->create([
            'external_id' => $numero,
            'source' => 'Tienda web',
            'contact' => ['name' => $pedido['cliente'], 'phone' => $pedido['telefono']],
            'fulfilment' => ['type' => 'pickup'],
            'prices' => 'given',
            'items' => array_map(fn (array $linea) => [
                'product_id' => $linea['product_id'],
                'quantity' => $linea['quantity'],
                'unit_price' => $linea['price'],
            ], $pedido['lineas']),
            'payment' => ['status' => 'paid', 'method' => 'NEQUI', 'reference' => $pedido['referencia']],
            'accept_by' => gmdate('Y-m-d\TH:i:s\Z', time() + 600),
        ]);
        con_tienda(function (array &$tienda) use ($numero): void {
            // Un webhook pudo llegar antes, y dice más.
            if ($tienda['pedidos'][$numero]['status'] === 'pending') {
                $tienda['pedidos'][$numero]['status'] = 'on-hold';
            }
        });
        return $hecho;
    } catch (Mostrador\MostradorError $error) {
        if (in_array($error->status, [0, 401, 403, 409, 429], true) || $error->status >= 500) {
            error_log("$numero queda pendiente: {$error->getMessage()}");
            return null;
        }
        con_tienda(function (array &$tienda) use ($numero): void {
            $tienda['pedidos'][$numero]['status'] = 'failed';
        });
        return ['error' => $error->getMessage()];
    }
}
