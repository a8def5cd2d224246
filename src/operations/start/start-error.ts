/** A start that failed for a reason its operator can fix. */
export class StartError extends Error {}
