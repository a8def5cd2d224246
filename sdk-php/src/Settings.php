<?php

declare(strict_types=1);

namespace Mostrador;

/** @internal What was given to the client. */
final class Settings
{
    public readonly string $publicUrl;

    public function __construct(
        #[\SensitiveParameter] public readonly string $apiKey,
        string $baseUrl,
        public readonly int $maxRetries,
        public readonly float $timeout,
        public readonly float $backoff,
    ) {
        if ($apiKey === '') {
            throw new \InvalidArgumentException('Falta apiKey: cree una clave en el portal, en Claves API.');
        }
        if (!preg_match('#^https?://#i', $baseUrl)) {
            throw new \InvalidArgumentException('baseUrl es la dirección de Mostrador, con http:// o https://.');
        }
        $trimmed = rtrim($baseUrl, '/');
        $this->publicUrl = str_ends_with($trimmed, '/public/v1') ? $trimmed : "$trimmed/public/v1";
    }

    /** A key is not for logs. @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['publicUrl' => $this->publicUrl];
    }
}
