/** Beyond these a cashier is asked: a finger that slipped looks the same. */
export const manyUnits = 1_000;
export const heavy = 100;
/** Cash of more than this many times what is due. */
export const muchCash = 10;
