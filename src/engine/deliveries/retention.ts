/** As long as the event log: every event that can still be read there can be resent. */
export const deliveryRetentionDays = 30;
