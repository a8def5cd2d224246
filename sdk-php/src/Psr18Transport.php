<?php

declare(strict_types=1);

namespace Mostrador;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/** Any client of PSR-18, with the factories of PSR-17. Its timeouts are those that it was made with. */
final class Psr18Transport implements Transport
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    public function open(Request $request): Answer
    {
        $message = $this->requests->createRequest($request->method, $request->url);
        foreach ($request->headers as $name => $value) {
            $message = $message->withHeader($name, $value);
        }
        if ($request->body !== null) {
            $message = $message->withBody($this->streams->createStream($request->body));
        }
        try {
            return new Psr18Answer($this->client->sendRequest($message));
        } catch (ClientExceptionInterface $error) {
            throw new BrokenOff($error->getMessage(), 0, $error);
        }
    }
}
