<?php

/* Lo pendiente a Mostrador, y sus productos y existencias a la tienda: php sincronizar.php, cada minuto por cron. */

declare(strict_types=1);

require __DIR__ . '/tienda.php';

// Las compras que no llegaron, con su mismo número.
$pendientes = con_tienda(fn (array &$tienda) => array_filter($tienda['pedidos'], fn (array $uno) => $uno['status'] === 'pending'));
foreach ($pendientes as $numero => $pedido) {
    enviar($numero, $pedido);
}

$desde = con_tienda(fn (array &$tienda) => $tienda['desde']);
$cambios = mostrador()->products->sync($desde === null ? [] : ['updated_since' => $desde]);
$productos = iterator_to_array($cambios, false);

// Lo que se puede ofrecer: lo que hay menos lo apartado, entre todas las bodegas.
$libres = [];
foreach (mostrador()->inventory->levels->list() as $nivel) {
    $libres[$nivel['product_id']] = ($libres[$nivel['product_id']] ?? 0) + $nivel['quantity'] - $nivel['reserved'];
}

con_tienda(function (array &$tienda) use ($productos, $libres, $cambios): void {
    foreach ($productos as $producto) {
        $se_vende = $producto['deleted_at'] === null && $producto['active'] && $producto['sellable'] && !$producto['has_variants'];
        if (!$se_vende) {
            unset($tienda['productos'][$producto['id']]);
            continue;
        }
        $tienda['productos'][$producto['id']] = [
            'name' => $producto['name'],
            'sku' => $producto['sku'],
            'regular_price' => $producto['base_price'],
            'price' => $producto['final_price'],
        ];
    }
    foreach ($tienda['productos'] as $id => $producto) {
        $tienda['productos'][$id]['stock_quantity'] = $libres[$id] ?? null;
        $tienda['productos'][$id]['stock_status'] = ($libres[$id] ?? 1) > 0 ? 'instock' : 'outofstock';
    }
    // Solo ahora, con todo guardado.
    $tienda['desde'] = $cambios->updatedSince();
});
echo count($productos), " productos cambiaron\n";
