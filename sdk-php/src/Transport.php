<?php

declare(strict_types=1);

namespace Mostrador;

/** What sends requests. It follows no redirect: a redirected POST would become a GET. */
interface Transport
{
    /**
     * Returns when the answer has begun.
     *
     * @throws BrokenOff when there is none
     */
    public function open(Request $request): Answer;
}
