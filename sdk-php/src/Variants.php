<?php

declare(strict_types=1);

namespace Mostrador;

/**
 * The variants of a product, one by one. `$ifMatch` is the ETag of the product.
 *
 * @phpstan-import-type ProductVariant from Contract
 * @phpstan-import-type NewProductVariant from Contract
 * @phpstan-import-type ProductVariantChanges from Contract
 */
final class Variants
{
    public function __construct(private readonly Sender $sender)
    {
    }

    /**
     * @param NewProductVariant $fields
     * @return ProductVariant
     */
    public function create(string $productId, array $fields, ?string $idempotencyKey = null): array
    {
        return $this->sender->postOnce(Query::path('/products', $productId) . '/variants', $fields, $idempotencyKey);
    }

    /**
     * @param ProductVariantChanges $changes
     * @return ProductVariant
     */
    public function update(string $productId, string $id, array $changes, ?string $ifMatch = null): array
    {
        return $this->send('PATCH', $productId, $id, $changes, $ifMatch);
    }

    /**
     * Returns the variant as it was, with its deleted_at.
     *
     * @return ProductVariant
     */
    public function delete(string $productId, string $id, ?string $ifMatch = null): array
    {
        return $this->send('DELETE', $productId, $id, null, $ifMatch);
    }

    /** @return array<string, mixed> */
    private function send(string $method, string $productId, string $id, ?array $body, ?string $ifMatch): array
    {
        $path = Query::path(Query::path('/products', $productId) . '/variants', $id);
        return $this->sender->json($method, $path, body: $body, headers: $ifMatch === null ? [] : ['if-match' => $ifMatch]);
    }
}
