<?php

declare(strict_types=1);

namespace Mostrador;

/**
 * What a receiver needs. The body is the one received, byte for byte: JSON that was parsed and serialized again may differ.
 *
 * @phpstan-import-type WebhookEvent from Contract
 */
final class Webhook
{
    /**
     * Whether the service signed this body with this secret, recently. During a rotation the service signs with both secrets;
     * you can also pass both, in any order.
     *
     * @param string|list<string> $secret
     */
    public static function verify(
        string $rawBody,
        ?string $header,
        #[\SensitiveParameter] string|array $secret,
        int $tolerance = 300,
        ?int $now = null,
    ): bool {
        $secrets = array_filter((array) $secret, static fn (string $one): bool => $one !== '');
        $signature = self::parsed($header ?? '');
        if ($signature === null || abs(($now ?? time()) - (int) $signature['t']) > $tolerance) {
            return false;
        }
        $matches = false;
        foreach ($secrets as $one) {
            // The complete secret signs, including its prefix, exactly as it was copied.
            $expected = hash_hmac('sha256', "{$signature['t']}.$rawBody", $one);
            foreach ($signature['v1'] as $v1) {
                // Every pair is compared, so timing does not reveal which one matched.
                $matches = hash_equals($expected, $v1) || $matches;
            }
        }
        return $matches;
    }

    /**
     * Parses a delivery without verifying it: verify it first, or use receive.
     *
     * @return WebhookEvent ignore types you do not know: new ones may be added
     */
    public static function parse(string $rawBody): array
    {
        $event = json_decode($rawBody, true);
        $isEvent = is_array($event) && is_string($event['id'] ?? null) && is_string($event['type'] ?? null);
        if (!$isEvent || !is_array($event['data']['object'] ?? null)) {
            throw new \UnexpectedValueException('El cuerpo no es un evento de Mostrador.');
        }
        return $event;
    }

    /**
     * Verifies and parses a delivery.
     *
     * @param string|list<string> $secret
     * @return WebhookEvent
     * @throws WebhookSignatureError when the signature is not valid
     */
    public static function receive(
        string $rawBody,
        ?string $header,
        #[\SensitiveParameter] string|array $secret,
        int $tolerance = 300,
        ?int $now = null,
    ): array {
        if (self::verify($rawBody, $header, $secret, $tolerance, $now)) {
            return self::parse($rawBody);
        }
        throw new WebhookSignatureError(
            'La firma del webhook no es válida. Revise el secreto, que el cuerpo sea el recibido byte por byte y la hora del servidor.',
        );
    }

    /**
     * Unknown schemes are skipped, so that new ones can be added beside v1. Two timestamps are ambiguous, so invalid.
     *
     * @return array{t: string, v1: list<string>}|null
     */
    private static function parsed(string $header): ?array
    {
        $times = [];
        $v1 = [];
        foreach (explode(',', $header) as $field) {
            [$key, $value] = explode('=', $field, 2) + [1 => ''];
            if ($key === 't') {
                $times[] = $value;
            } elseif ($key === 'v1' && preg_match('/\A[0-9a-f]{64}\z/', $value)) {
                $v1[] = $value;
            }
        }
        $isValid = count($times) === 1 && $v1 !== [] && preg_match('/\A(?:0|[1-9][0-9]{0,14})\z/', $times[0]);
        return $isValid ? ['t' => $times[0], 'v1' => $v1] : null;
    }
}
