/** As long as the event log: whatever can still be read there can be resent. */
export const deliveryRetentionDays = 30;
