<?php

declare(strict_types=1);

namespace Mostrador;

/** @internal An answer that cURL is still reading. */
final class CurlAnswer implements Answer
{
    private int $status = 0;
    /** @var array<string, string> */
    private array $headers = [];
    private bool $hasBegun = false;
    private string $unread = '';
    private ?\CurlHandle $handle;

    /** @param array<int, mixed> $options */
    public function __construct(private readonly \CurlMultiHandle $multi, array $options)
    {
        $this->handle = curl_init();
        curl_setopt_array($this->handle, $options + [
            CURLOPT_HEADERFUNCTION => $this->header(...),
            CURLOPT_WRITEFUNCTION => function (\CurlHandle $_handle, string $part): int {
                $this->unread .= $part;
                return strlen($part);
            },
        ]);
        curl_multi_add_handle($multi, $this->handle);
        while (!$this->hasBegun && $this->advance()) {
        }
    }

    public function __destruct()
    {
        $this->close();
    }

    public function status(): int
    {
        return $this->status;
    }

    public function headers(): array
    {
        return $this->headers;
    }

    public function pieces(): \Generator
    {
        try {
            do {
                $goesOn = $this->advance();
                if ($this->unread !== '') {
                    [$part, $this->unread] = [$this->unread, ''];
                    yield $part;
                }
            } while ($goesOn);
        } finally {
            $this->close();
        }
    }

    /** Reads what has come, or waits for it; false at the end. */
    private function advance(): bool
    {
        if ($this->handle === null) {
            return false;
        }
        curl_multi_exec($this->multi, $running);
        while ($done = curl_multi_info_read($this->multi)) {
            if ($done['handle'] === $this->handle) {
                $result = $done['result'];
                $says = curl_error($this->handle) ?: (string) curl_strerror($result);
                $this->close();
                if ($result !== CURLE_OK) {
                    throw new BrokenOff($says);
                }
                return false;
            }
        }
        if ($running > 0 && $this->unread === '') {
            curl_multi_select($this->multi, 1.0);
        }
        return true;
    }

    private function header(\CurlHandle $_handle, string $line): int
    {
        $text = trim($line);
        if (preg_match('#^HTTP/\S+ (\d{3})#', $text, $found)) {
            $this->status = (int) $found[1];
            $this->headers = [];
        } elseif ($text === '') {
            $this->hasBegun = $this->status >= 200;
        } else {
            [$name, $value] = array_map('trim', explode(':', $text, 2) + [1 => '']);
            $this->headers[strtolower($name)] = $value;
        }
        return strlen($line);
    }

    private function close(): void
    {
        if ($this->handle !== null) {
            curl_multi_remove_handle($this->multi, $this->handle);
            $this->handle = null;
        }
    }
}
