<?php

declare(strict_types=1);

namespace Mostrador;

/** The connection failed, or ended before the answer was complete. A transport throws it; callers get ConnectionFailed. */
final class BrokenOff extends \RuntimeException
{
}
