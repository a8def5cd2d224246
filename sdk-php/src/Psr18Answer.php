<?php

declare(strict_types=1);

namespace Mostrador;

use Psr\Http\Message\ResponseInterface;

/** @internal An answer of a PSR-18 client. */
final class Psr18Answer implements Answer
{
    public function __construct(private readonly ResponseInterface $response)
    {
    }

    public function status(): int
    {
        return $this->response->getStatusCode();
    }

    public function headers(): array
    {
        return array_map(
            static fn (array $values): string => implode(', ', $values),
            array_change_key_case($this->response->getHeaders()),
        );
    }

    public function pieces(): \Generator
    {
        $body = $this->response->getBody();
        // One that was decompressed is longer than it says.
        $wanted = isset($this->headers()['content-encoding']) ? '' : $this->headers()['content-length'] ?? '';
        $read = 0;
        try {
            while (!$body->eof()) {
                $part = $body->read(65_536);
                $read += strlen($part);
                if ($part !== '') {
                    yield $part;
                }
            }
        } catch (\RuntimeException $error) {
            throw new BrokenOff($error->getMessage(), 0, $error);
        } finally {
            $body->close();
        }
        if (ctype_digit($wanted) && $read < (int) $wanted) {
            throw new BrokenOff('la respuesta llegó incompleta');
        }
    }
}
