/** The law lets a business suggest a tip of at most this part of the bill, and charge none that was not accepted. */
export const mostTipPercent = 10;
