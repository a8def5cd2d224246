<?php

/* Debian's Laravel with the example's controller behind its own CSRF guard, exempt as the README of the example says. */

declare(strict_types=1);

use Illuminate\Config\Repository;
use Illuminate\Encryption\Encrypter;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Http\Middleware\VerifyCsrfToken;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Session\ArraySessionHandler;
use Illuminate\Session\Store;
use Illuminate\Session\TokenMismatchException;

error_reporting(E_ALL & ~E_DEPRECATED);
require '/usr/share/php/Illuminate/autoload.php';
require getenv('MOSTRADOR_AUTOLOAD');
require __DIR__ . '/../../examples/php-receivers/procesar.php';
require __DIR__ . '/../../examples/php-receivers/MostradorWebhookController.php';

$app = new Application(getenv('EVENTOS'));
$app->instance('env', 'production');
$app->instance('config', new Repository([
    'services' => ['mostrador' => ['webhook_secret' => getenv('MOSTRADOR_WEBHOOK_SECRET')]],
    'session' => ['lifetime' => 120, 'path' => '/', 'domain' => null, 'secure' => false, 'same_site' => null],
]));
$guard = new class ($app, new Encrypter(random_bytes(16))) extends VerifyCsrfToken {
    protected $addHttpCookie = false;
    protected $except = ['webhooks/mostrador'];
};
$request = Request::capture();
$request->setLaravelSession(new Store('prueba', new ArraySessionHandler(120)));
try {
    $guard->handle($request, static function (Request $request): Response {
        return (new App\Http\Controllers\MostradorWebhookController())($request);
    })->send();
} catch (TokenMismatchException) {
    (new Response('', 419))->send();
}
