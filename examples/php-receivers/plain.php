<?php

/* Un receptor de webhooks con PHP solo: php -S 127.0.0.1:4242 plain.php. No inicia sesión, así que no hay token CSRF que pedir. */

declare(strict_types=1);

use Mostrador\Webhook;
use Mostrador\WebhookSignatureError;

require getenv('MOSTRADOR_AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/procesar.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    return;
}
try {
    // Los bytes tal como llegaron.
    $cuerpo = file_get_contents('php://input');
    $evento = Webhook::receive($cuerpo, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null, getenv('MOSTRADOR_WEBHOOK_SECRET'));
} catch (WebhookSignatureError $error) {
    http_response_code(400);
    echo $error->getMessage();
    return;
}
procesar($evento);
http_response_code(204);
