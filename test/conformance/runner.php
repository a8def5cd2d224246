<?php

/* Runs the cases over the PHP client; what it reads and writes stands in README.md. */

declare(strict_types=1);

use Mostrador\ConnectionFailed;
use Mostrador\Mostrador;
use Mostrador\MostradorError;
use Mostrador\Psr18Transport;
use Mostrador\Webhook;
use Mostrador\WebhookSignatureError;

error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $message, string $file, int $line) => throw new ErrorException($message, 0, $level, $file, $line));
require __DIR__ . '/../../sdk-php/autoload.php';
if (in_array('--psr', $argv, true)) {
    set_error_handler(null);
    require getenv('GUZZLE');
}

$doers = [
    'me' => fn (Mostrador $api) => $api->me(),
    'get' => fn (Mostrador $api, array $step) => resource($api, $step)->get($step['id']),
    'list' => fn (Mostrador $api, array $step) => resource($api, $step)->list(...paging($step))->toArray($step['most'] ?? null),
    'pages' => fn (Mostrador $api, array $step) => array_map(
        fn ($page) => $page->data,
        iterator_to_array(resource($api, $step)->list(...paging($step))->pages(), false),
    ),
    'sync' => function (Mostrador $api, array $step): array {
        [$rounds, $moved, $since] = [[], false, null];
        for ($round = 0; $round < $step['rounds']; $round++) {
            $changes = resource($api, $step)->sync(['updated_since' => $since], $step['page_size']);
            [$before, $records] = [$changes->updatedSince(), []];
            foreach ($changes as $record) {
                $records[] = $record;
                $moved = $moved || $changes->updatedSince() !== $before;
                if (($step['abandon'] ?? false) && $round === 0) {
                    break;
                }
            }
            $rounds[] = $records;
            $since = $changes->updatedSince();
        }
        return ['rounds' => $rounds, 'moved' => $moved];
    },
    'export' => fn (Mostrador $api, array $step) => iterator_to_array(
        resource($api, $step)->export([], $step['starting_after'] ?? null),
        false,
    ),
    'create' => fn (Mostrador $api, array $step) => resource($api, $step)->create($step['with'], $step['key'] ?? null),
    'create_batch' => fn (Mostrador $api, array $step) => resource($api, $step)->createBatch($step['with'], $step['key'] ?? null),
    'update' => fn (Mostrador $api, array $step) => resource($api, $step)->update($step['id'], $step['with'], $step['if_match'] ?? null),
    'cancel' => fn (Mostrador $api, array $step) => resource($api, $step)->cancel($step['id'], $step['with'] ?? [], $step['key'] ?? null),
    'preview' => fn (Mostrador $api, array $step) => resource($api, $step)->preview($step['with']),
    'follow' => function (Mostrador $api, array $step): array {
        [$calls, $cursor] = [[], null];
        foreach ($step['read'] as $wanted) {
            $events = [];
            foreach ($api->events->follow(type: $step['type'], cursor: $cursor, every: 0.005) as $page) {
                array_push($events, ...$page->events);
                $cursor = $page->cursor;
                if (count($events) >= $wanted) {
                    break;
                }
            }
            $calls[] = $events;
        }
        return $calls;
    },
    'follow_until_end' => function (Mostrador $api, array $step): array {
        [$rounds, $cursor] = [[], null];
        for ($round = 0; $round < $step['rounds']; $round++) {
            $pages = [];
            foreach ($api->events->follow(type: $step['type'], cursor: $cursor, untilEnd: true) as $page) {
                $pages[] = ['events' => $page->events, 'caught_up' => $page->caughtUp];
                $cursor = $page->cursor;
            }
            $rounds[] = $pages;
        }
        return $rounds;
    },
    'verify' => fn (Mostrador $_api, array $step) => Webhook::verify(...signed($step)),
    'receive' => fn (Mostrador $_api, array $step) => Webhook::receive(...signed($step)),
];

function resource(Mostrador $api, array $step): object
{
    return array_reduce(explode('.', $step['of']), static fn (object $found, string $part): object => $found->$part, $api);
}

function paging(array $step): array
{
    return ['filters' => $step['filters'] ?? []] + (isset($step['page_size']) ? ['pageSize' => $step['page_size']] : []);
}

function signed(array $step): array
{
    $given = ['rawBody' => $step['body'], 'header' => $step['header'], 'secret' => $step['secret'], 'now' => $step['now']];
    return $given + (isset($step['tolerance']) ? ['tolerance' => $step['tolerance']] : []);
}

function outcome(callable $doing): array
{
    try {
        return ['value' => $doing()];
    } catch (WebhookSignatureError) {
        return ['error' => ['kind' => 'signature']];
    } catch (MostradorError $error) {
        $class = explode('\\', $error::class);
        return ['error' => [
            'kind' => $error instanceof ConnectionFailed ? 'connection' : 'api',
            'type' => $class[1] === 'Errors' ? $class[2] : null,
            'code' => $error->errorCode,
            'status' => $error->status,
            'param' => $error->param,
            'request_id' => $error->requestId,
            'fields' => $error->errors,
        ]];
    } catch (Throwable $error) {
        return ['error' => ['kind' => 'other', 'message' => (string) $error]];
    }
}

function transport(float $timeout): ?Psr18Transport
{
    if (!in_array('--psr', $GLOBALS['argv'], true)) {
        return null;
    }
    $factory = new GuzzleHttp\Psr7\HttpFactory();
    return new Psr18Transport(new GuzzleHttp\Client(['timeout' => $timeout]), $factory, $factory);
}

$all = array_map(function (array $case) use ($doers): array {
    $client = $case['client'] ?? [];
    $timeout = ($client['timeout_ms'] ?? 60_000) / 1000;
    $api = new Mostrador($case['api_key'], $case['base_url'], $client['max_retries'] ?? 4, $timeout, 0.005, transport($timeout));
    return array_map(fn (array $step): array => outcome(fn () => $doers[$step['do']]($api, $step)), $case['steps']);
}, json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR));
echo json_encode($all, JSON_THROW_ON_ERROR);
