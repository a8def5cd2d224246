<?php

declare(strict_types=1);

namespace Mostrador;

/** The transport by default. Connections are kept; a proxy is taken from the environment (HTTPS_PROXY). */
final class CurlTransport implements Transport
{
    private ?\CurlMultiHandle $shared = null;

    /** @param array<int, mixed> $options more options of cURL, such as CURLOPT_CAINFO */
    public function __construct(private readonly array $options = [])
    {
        if (!extension_loaded('curl')) {
            throw new \RuntimeException('Falta la extensión curl de PHP: instálela, o pase un cliente PSR-18 como transport.');
        }
    }

    public function open(Request $request): Answer
    {
        // A stream may be read while other requests are made, so it has a connection of its own.
        $multi = $request->isStream ? curl_multi_init() : $this->shared ??= curl_multi_init();
        return new CurlAnswer($multi, $this->options + $this->optionsOf($request));
    }

    /** @return array<int, mixed> */
    private function optionsOf(Request $request): array
    {
        $headers = array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($request->headers), $request->headers);
        $ms = (int) ($request->timeout * 1000);
        return [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => [...$headers, 'expect:'],
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            CURLOPT_NOSIGNAL => true,
            // cURL repeats a request by itself when a kept connection turns out to be closed: not one that must not be repeated.
            CURLOPT_FRESH_CONNECT => !in_array($request->method, ['GET', 'POST'], true),
            CURLOPT_CONNECTTIMEOUT_MS => $ms,
        ] + ($request->body === null ? [] : [CURLOPT_POSTFIELDS => $request->body])
            + ($request->isStream
                ? [CURLOPT_LOW_SPEED_LIMIT => 1, CURLOPT_LOW_SPEED_TIME => max(1, (int) ceil($request->timeout))]
                : [CURLOPT_TIMEOUT_MS => $ms]);
    }
}
