<?php

declare(strict_types=1);

namespace Mostrador;

/** An answer whose body is still to be read. */
interface Answer
{
    public function status(): int;

    /** @return array<string, string> by their names in small letters */
    public function headers(): array;

    /**
     * The body in pieces.
     *
     * @return \Generator<string>
     * @throws BrokenOff when it ends before it is complete
     */
    public function pieces(): \Generator;
}
