<?php

declare(strict_types=1);

namespace Mostrador;

/** @internal Sends a request and retries it until it succeeds, or fails with an error that a retry cannot fix. */
final class Sender
{
    private const LONGEST_BACKOFF = 8.0;
    private const MAX_INTERRUPTIONS = 5;

    public function __construct(private readonly Settings $settings, private readonly Transport $transport)
    {
    }

    /**
     * @param array<string, string> $query
     * @param array<string, string> $headers
     */
    public function json(string $method, string $path, array $query = [], mixed $body = null, array $headers = []): mixed
    {
        return $this->attempts($method, function () use ($method, $path, $query, $body, $headers): mixed {
            $answer = $this->once($method, $path, $query, $body, $headers, false);
            // Read while the attempt can still be repeated: an answer may break off after its start.
            return self::decoded($answer->status(), $this->textOf($answer));
        });
    }

    /** The key is made once, before the first attempt: every repetition is the same operation. */
    public function postOnce(string $path, mixed $body, ?string $key): mixed
    {
        return $this->json('POST', $path, body: $body, headers: ['idempotency-key' => $key ?? self::uuid()]);
    }

    /**
     * All records in one stream. When the connection breaks, it resumes after the last complete line.
     *
     * @param array<string, string> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function export(string $name, array $query, ?string $after): \Generator
    {
        $interruptions = 0;
        while (true) {
            $from = $after === null ? $query : ['starting_after' => $after] + $query;
            $answer = $this->attempts('GET', fn (): Answer => $this->once('GET', "/exports/$name", $from, null, [], true));
            $rest = '';
            try {
                foreach ($answer->pieces() as $part) {
                    $lines = explode("\n", $rest . $part);
                    $rest = array_pop($lines);
                    foreach ($lines as $line) {
                        $record = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
                        yield $record;
                        $after = $record['id'];
                        $interruptions = 0;
                    }
                }
                return;
            } catch (BrokenOff $cause) {
                if (++$interruptions > self::MAX_INTERRUPTIONS) {
                    throw ConnectionFailed::because($cause);
                }
                self::wait(min(self::LONGEST_BACKOFF, $this->settings->backoff * 2 ** $interruptions / 5));
            }
        }
    }

    public static function wait(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }

    /**
     * @template T
     * @param \Closure(): T $attempt
     * @return T
     */
    private function attempts(string $method, \Closure $attempt): mixed
    {
        for ($tried = 0; ; $tried++) {
            try {
                return $attempt();
            } catch (Failure $failure) {
                if ($tried >= $this->settings->maxRetries || !self::canRetry($method, $failure->error)) {
                    throw $failure->error;
                }
                $backoff = min(self::LONGEST_BACKOFF, $this->settings->backoff * 2 ** $tried);
                // Jitter: clients that failed at the same time must not all retry at the same time.
                self::wait($failure->retryAfter ?? $backoff * (0.5 + random_int(0, 1000) / 2000));
            }
        }
    }

    /**
     * A GET changes nothing and a POST has an idempotency key, so both can be retried after any temporary failure. A PATCH
     * can be retried only when it certainly had no effect.
     */
    private static function canRetry(string $method, MostradorError $error): bool
    {
        if ($error->status === 429) {
            return true;
        }
        if ($method === 'PATCH' || $method === 'DELETE') {
            return false;
        }
        return $error instanceof ConnectionFailed || $error->status >= 500 || $error->errorCode === 'IDEMPOTENCY_IN_PROGRESS';
    }

    /**
     * @param array<string, string> $query
     * @param array<string, string> $headers
     */
    private function once(string $method, string $path, array $query, mixed $body, array $headers, bool $isStream): Answer
    {
        $url = $this->settings->publicUrl . $path . ($query === [] ? '' : '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986));
        $own = [
            'authorization' => "Bearer {$this->settings->apiKey}",
            'accept' => 'application/json, application/x-ndjson',
            'user-agent' => 'mostrador-php/1.0.0',
        ] + ($body === null ? [] : ['content-type' => 'application/json']);
        $request = new Request($method, $url, $headers + $own, self::encoded($body), $this->settings->timeout, $isStream);
        try {
            $answer = $this->transport->open($request);
        } catch (BrokenOff $cause) {
            throw new Failure(ConnectionFailed::because($cause));
        }
        if ($answer->status() < 300) {
            return $answer;
        }
        throw Failure::of($answer->status(), $answer->headers(), $this->textOf($answer));
    }

    private function textOf(Answer $answer): string
    {
        try {
            return implode('', iterator_to_array($answer->pieces(), false));
        } catch (BrokenOff $cause) {
            throw new Failure(ConnectionFailed::because($cause));
        }
    }

    private static function encoded(mixed $body): ?string
    {
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION;
        // An empty array is an object without fields here.
        return $body === null ? null : json_encode($body === [] ? (object) [] : $body, $flags);
    }

    private static function decoded(int $status, string $text): mixed
    {
        try {
            return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
        } catch (\JsonException $cause) {
            // A page of somebody in between, such as a network that wants one to sign in.
            throw new MostradorError("La respuesta HTTP $status no es JSON: revise baseUrl.", status: $status, previous: $cause);
        }
    }

    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
