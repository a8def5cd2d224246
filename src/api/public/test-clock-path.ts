/** Beside the contract, which has no clock: this exists in the test environment only. */
export const testClockPath = "/test/v1/clock";

/** Tells what would happen to a webhook's address after half a day of failures. */
export const testEndpointEventsPath = "/test/v1/webhook-endpoint-events";
