<?php

declare(strict_types=1);

/** Cada evento una sola vez: un repetido tiene el mismo id. En su sistema, una tabla con el id como clave. */
function procesar(array $evento): void
{
    $vistos = getenv('EVENTOS') ?: sys_get_temp_dir() . '/mostrador-eventos';
    if (!is_dir($vistos)) {
        mkdir($vistos, 0700, true);
    }
    // Crear el archivo falla si ya existe: de dos entregas a la vez, una sola pasa.
    $nuevo = @fopen($vistos . '/' . preg_replace('/[^0-9a-f-]/', '', $evento['id']), 'x');
    if ($nuevo === false) {
        return;
    }
    fclose($nuevo);
    error_log("{$evento['type']} {$evento['id']}");
}
