<?php

declare(strict_types=1);

namespace Mostrador;

/** @internal What the resources' own classes say with their types. */
abstract class Resource
{
    protected const PATH = '';
    protected const NAME = '';
    protected const IS_DELETABLE = false;

    public function __construct(protected readonly Sender $sender)
    {
    }

    /** @return array<string, mixed> */
    protected function read(string $id, bool $includeDeleted = false): array
    {
        return $this->sender->json('GET', Query::path(static::PATH, $id), $includeDeleted ? ['include_deleted' => 'true'] : []);
    }

    /** @param array<string, mixed> $filters */
    protected function listing(array $filters, int $pageSize, ?string $startingAfter): Listing
    {
        return new Listing($this->sender, static::PATH, Query::of($filters), $pageSize, $startingAfter);
    }

    /** @param array<string, mixed> $filters */
    protected function changes(array $filters, int $pageSize): Changes
    {
        // A sync includes deleted records, so that copies can delete them too.
        $deleted = static::IS_DELETABLE ? ['include_deleted' => 'true'] : [];
        return new Changes($this->sender, static::PATH, Query::of($filters) + $deleted, $pageSize);
    }

    /** @param array<string, mixed> $filters */
    protected function exported(array $filters, ?string $startingAfter): \Generator
    {
        return $this->sender->export(static::NAME, Query::of($filters), $startingAfter);
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    protected function made(array $fields, ?string $idempotencyKey): array
    {
        return $this->sender->postOnce(static::PATH, $fields, $idempotencyKey);
    }

    /**
     * @param list<array<string, mixed>> $items
     * @return array<string, mixed>
     */
    protected function madeTogether(array $items, ?string $idempotencyKey): array
    {
        return $this->sender->postOnce(static::PATH . '/batch', ['items' => $items], $idempotencyKey);
    }

    /**
     * @param array<string, mixed> $changes
     * @return array<string, mixed>
     */
    protected function changed(string $id, array $changes, ?string $ifMatch): array
    {
        $headers = $ifMatch === null ? [] : ['if-match' => $ifMatch];
        return $this->sender->json('PATCH', Query::path(static::PATH, $id), body: $changes, headers: $headers);
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    protected function cancelled(string $id, array $fields, ?string $idempotencyKey): array
    {
        return $this->sender->postOnce(Query::path(static::PATH, $id) . '/cancel', $fields, $idempotencyKey);
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    protected function received(string $id, array $fields, ?string $idempotencyKey): array
    {
        return $this->sender->postOnce(Query::path(static::PATH, $id) . '/receipts', $fields, $idempotencyKey);
    }

    /**
     * It stores nothing, so it may be repeated without a key.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    protected function previewed(array $fields): array
    {
        return $this->sender->json('POST', static::PATH . '/preview', body: $fields);
    }
}
