/** A log line follows a few causes, not a circle of them. */
const deepest = 3;

/**
 * What a log line tells of an error. Nothing else that hangs on it is copied: the driver attaches the whole connection, with
 * the statements it ran and the key that cancels them, and PostgreSQL the values of the row it refused.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code !== undefined && { code: String(code) }),
    stack: error.stack,
    ...(cause !== undefined && depth < deepest && { cause: describeError(cause, depth + 1) }),
  };
}
