<?php

declare(strict_types=1);

namespace Mostrador;

/**
 * An error response. Each code of the service has a class of its own in `Mostrador\Errors`; one that this version does not
 * know is a MostradorError. Decide by the class or by `errorCode`, which never changes; the message is for people.
 */
class MostradorError extends \RuntimeException
{
    /**
     * @param list<array{param: string, message: string}> $errors the fields that the service rejected
     * @param array<string, mixed> $body the complete error as the service sent it
     */
    public function __construct(
        string $message,
        public readonly string $errorCode = 'INTERNAL_ERROR',
        public readonly int $status = 0,
        public readonly ?string $param = null,
        public readonly ?string $requestId = null,
        public readonly ?string $docUrl = null,
        public readonly array $errors = [],
        public readonly array $body = [],
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
