<?php

declare(strict_types=1);

namespace Mostrador;

/** @internal Filters and addresses as the service reads them. */
final class Query
{
    /**
     * @param array<string, mixed> $filters null is left out
     * @return array<string, string>
     */
    public static function of(array $filters): array
    {
        return array_map(self::text(...), array_filter($filters, static fn (mixed $value): bool => $value !== null));
    }

    public static function path(string $path, string ...$ids): string
    {
        return implode('/', [$path, ...array_map('rawurlencode', $ids)]);
    }

    private static function text(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            $value instanceof \DateTimeInterface => $value->format('Y-m-d\TH:i:s.uP'),
            is_array($value) => implode(',', $value),
            default => (string) $value,
        };
    }
}
