<?php

declare(strict_types=1);

namespace Mostrador;

/**
 * Every record that changed since an instant, at least once. The boundary is inclusive: the next sync returns later changes,
 * and records that changed exactly at the boundary again. Store records by `id`, replacing the previous version.
 *
 * @template T of array
 * @implements \IteratorAggregate<int, T>
 */
final class Changes implements \IteratorAggregate
{
    private const EPOCH = '1970-01-01T00:00:00.000Z';

    private readonly string $from;
    private string $reached;
    private readonly Listing $all;

    /** @param array<string, string> $query */
    public function __construct(Sender $sender, string $path, array $query, int $pageSize)
    {
        $this->from = $query['updated_since'] ?? self::EPOCH;
        $this->reached = $this->from;
        $this->all = new Listing($sender, $path, ['updated_since' => $this->from] + $query, $pageSize);
    }

    /**
     * Save it when the loop has ended and pass it to the next sync. It changes only then: records do not arrive in the order
     * in which they changed, so an unfinished loop may have missed some.
     */
    public function updatedSince(): string
    {
        return $this->reached;
    }

    /** @return \Generator<int, T> */
    public function getIterator(): \Generator
    {
        $greatest = $this->from;
        foreach ($this->all as $record) {
            if (new \DateTimeImmutable($record['updated_at']) > new \DateTimeImmutable($greatest)) {
                $greatest = $record['updated_at'];
            }
            yield $record;
        }
        $this->reached = $greatest;
    }
}
