<?php

declare(strict_types=1);

namespace Mostrador;

/**
 * The log of events, kept for 30 days.
 *
 * @phpstan-import-type Event from Contract
 * @phpstan-import-type EventsFilters from Contract
 */
final class Events extends Resource
{
    protected const PATH = '/events';
    protected const NAME = 'events';

    /** @return Event */
    public function get(string $id): array
    {
        return $this->read($id);
    }

    /**
     * @param EventsFilters $filters
     * @return Listing<Event>
     */
    public function list(array $filters = [], int $pageSize = 100, ?string $startingAfter = null): Listing
    {
        return $this->listing($filters, $pageSize, $startingAfter);
    }

    /**
     * @param EventsFilters $filters
     * @return \Generator<int, Event>
     */
    public function export(array $filters = [], ?string $startingAfter = null): \Generator
    {
        return $this->exported($filters, $startingAfter);
    }

    /**
     * Iterates over the log, oldest first, and then waits for new events, without end. `$cursor` is that of the last page you
     * processed; without it, following starts at `$createdSince`, or at the start of the log. With `$untilEnd` it ends where
     * the log ends instead of waiting for more, with nothing new without a page: for a task that runs now and then.
     *
     * @param string|list<string>|null $type
     * @return \Generator<int, FollowedPage>
     */
    public function follow(
        string|array|null $type = null,
        ?string $cursor = null,
        string|\DateTimeInterface|null $createdSince = null,
        float $every = 1.0,
        bool $untilEnd = false,
    ): \Generator {
        $filters = Query::of(['type' => $type, 'created_since' => $createdSince]) + ['order' => 'asc', 'limit' => '100'];
        while (true) {
            $at = $cursor === null ? [] : ['starting_after' => $cursor];
            $page = Page::of($this->sender->json('GET', self::PATH, $at + $filters));
            $cursor = $page->nextCursor;
            if ($page->data !== []) {
                yield new FollowedPage($page->data, $cursor, !$page->hasMore);
            }
            if ($page->hasMore) {
                continue;
            }
            if ($untilEnd) {
                return;
            }
            Sender::wait($every);
        }
    }
}
