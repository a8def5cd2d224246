<?php

declare(strict_types=1);

namespace Mostrador;

/** Events of the log, and where they end. */
final class FollowedPage
{
    /**
     * @param list<array<string, mixed>> $events
     * @param ?string $cursor save it after processing these events, and none will be lost or repeated
     * @param bool $caughtUp whether the log ended behind these events when they were read
     */
    public function __construct(
        public readonly array $events,
        public readonly ?string $cursor,
        public readonly bool $caughtUp,
    ) {
    }
}
