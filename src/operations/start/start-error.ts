/** A start that cannot go on, for a reason its operator can mend. */
export class StartError extends Error {}
