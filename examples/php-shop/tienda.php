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
