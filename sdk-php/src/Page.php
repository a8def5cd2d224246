<?php

declare(strict_types=1);

namespace Mostrador;

/** @template T of array */
final class Page
{
    /** @param list<T> $data */
    public function __construct(
        public readonly array $data,
        public readonly bool $hasMore,
        public readonly ?string $nextCursor,
    ) {
    }

    /**
     * @param array<string, mixed> $answer
     * @return self<array<string, mixed>>
     */
    public static function of(array $answer): self
    {
        return new self($answer['data'], $answer['has_more'], $answer['next_cursor']);
    }
}
