<?php

declare(strict_types=1);

namespace Mostrador;

/** @internal A failed attempt, with the wait that the service asked for. */
final class Failure extends \Exception
{
    private const LONGEST_RETRY_AFTER = 120.0;

    public function __construct(public readonly MostradorError $error, public readonly ?float $retryAfter = null)
    {
        parent::__construct($error->getMessage(), 0, $error);
    }

    /** @param array<string, string> $headers */
    public static function of(int $status, array $headers, string $text): self
    {
        $error = self::errorIn($text);
        $string = static fn (string $name): ?string => is_string($error[$name] ?? null) ? $error[$name] : null;
        $code = $string('code') ?? 'INTERNAL_ERROR';
        $class = Errors\ByCode::CLASSES[$code] ?? MostradorError::class;
        return new self(
            new $class(
                $string('message') ?? "La respuesta fue HTTP $status.",
                $code,
                $status,
                $string('param'),
                $string('request_id') ?? $headers['request-id'] ?? null,
                $string('doc_url'),
                is_array($error['errors'] ?? null) ? $error['errors'] : [],
                $error,
            ),
            self::seconds($headers['retry-after'] ?? ''),
        );
    }

    /**
     * A proxy in between may answer with something other than the service's error format.
     *
     * @return array<string, mixed>
     */
    private static function errorIn(string $text): array
    {
        $body = json_decode($text, true);
        $error = is_array($body) ? $body['error'] ?? null : null;
        return is_array($error) ? $error : [];
    }

    private static function seconds(string $text): ?float
    {
        return is_numeric($text) ? min(self::LONGEST_RETRY_AFTER, max(0.0, (float) $text)) : null;
    }
}
