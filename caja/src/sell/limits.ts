/** Beyond these a cashier is asked: a finger that slipped looks the same. */
export const manyUnits = 1_000;
export const heavy = 100;
/** Cash of more than this many times what is due. */
export const muchCash = 10;
/** A tip of more than this part of what it is for. */
export const muchTip = 0.5;
/** A second Enter within it was meant for what stood there before: an impatient finger presses twice. */
export const settleMs = 600;

/** A second Enter comes as soon after the first: it was not meant for what has just shown. */
export const secondEnterMs = 400;
