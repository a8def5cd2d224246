<?php

declare(strict_types=1);

namespace Mostrador;

/**
 * A list. Iterate over it for every record of every page, or over its pages.
 *
 * @template T of array
 * @implements \IteratorAggregate<int, T>
 */
final class Listing implements \IteratorAggregate
{
    /** @param array<string, string> $query */
    public function __construct(
        private readonly Sender $sender,
        private readonly string $path,
        private readonly array $query,
        private readonly int $pageSize,
        private readonly ?string $startingAfter = null,
    ) {
    }

    /** @return \Generator<int, Page<T>> */
    public function pages(): \Generator
    {
        $cursor = $this->startingAfter;
        do {
            $at = $cursor === null ? [] : ['starting_after' => $cursor];
            $query = $at + ['limit' => (string) $this->pageSize] + $this->query;
            $page = Page::of($this->sender->json('GET', $this->path, $query));
            yield $page;
            $cursor = $page->nextCursor;
        } while ($page->hasMore && $cursor !== null);
    }

    /** @return \Generator<int, T> */
    public function getIterator(): \Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page->data as $record) {
                yield $record;
            }
        }
    }

    /**
     * The records, at most `$most` of them.
     *
     * @return list<T>
     */
    public function toArray(?int $most = null): array
    {
        $found = [];
        if ($most !== null && $most <= 0) {
            return $found;
        }
        foreach ($this as $record) {
            $found[] = $record;
            if (count($found) === $most) {
                break;
            }
        }
        return $found;
    }
}
