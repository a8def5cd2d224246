/** Beside the contract, which has no clock: this exists in the test environment only. */
export const testClockPath = "/test/v1/clock";
