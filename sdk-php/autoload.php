<?php

declare(strict_types=1);

/* For whoever has no Composer: require this file, and the classes are found. */
spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Mostrador\\')) {
        return;
    }
    $name = substr($class, strlen('Mostrador\\'));
    $generated = ['Mostrador', 'Contract', 'Errors', 'Resources'];
    $first = explode('\\', $name)[0];
    $file = in_array($first, $generated, true) ? "generated/$first.php" : "src/$name.php";
    if (is_file(__DIR__ . "/$file")) {
        require_once __DIR__ . "/$file";
    }
});
