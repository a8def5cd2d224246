<?php

/* Un receptor de webhooks para Laravel: app/Http/Controllers/MostradorWebhookController.php */

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Mostrador\Webhook;
use Mostrador\WebhookSignatureError;

final class MostradorWebhookController
{
    public function __invoke(Request $request): Response
    {
        try {
            // Los bytes tal como llegaron: getContent(), no all().
            $evento = Webhook::receive(
                $request->getContent(),
                $request->header('Service-Signature'),
                config('services.mostrador.webhook_secret'),
            );
        } catch (WebhookSignatureError $error) {
            return new Response($error->getMessage(), 400);
        }
        // En su sistema, un trabajo en cola que descarte los repetidos por id: ProcesarEvento::dispatch($evento).
        \procesar($evento);
        return new Response('', 204);
    }
}
