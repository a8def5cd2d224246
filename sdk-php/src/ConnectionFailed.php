<?php

declare(strict_types=1);

namespace Mostrador;

/** The service could not be reached, or its answer broke off. `errorCode` is `CONNECTION_ERROR` and `status` 0. */
final class ConnectionFailed extends MostradorError
{
    public static function because(BrokenOff $cause): self
    {
        return new self("No se pudo hablar con Mostrador: {$cause->getMessage()}.", 'CONNECTION_ERROR', previous: $cause);
    }
}
