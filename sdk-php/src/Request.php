<?php

declare(strict_types=1);

namespace Mostrador;

/** One request as a transport sends it. */
final class Request
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly ?string $body,
        /** How long it may take, in seconds; a stream, how long nothing may come. */
        public readonly float $timeout,
        /** The answer is read piece by piece. */
        public readonly bool $isStream,
    ) {
    }
}
