<?php

declare(strict_types=1);

namespace Mostrador;

/** A webhook whose signature is wrong or too old. */
final class WebhookSignatureError extends \RuntimeException
{
}
