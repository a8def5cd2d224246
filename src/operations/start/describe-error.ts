/** Causes may form a cycle. */
const maxDepth = 3;

/**
 * What a log line contains of an error. Other properties are not copied: the driver attaches the whole connection, with its
 * statements and the key that cancels them, and PostgreSQL attaches the values of the row it refused.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code !== undefined && { code: String(code) }),
    stack: error.stack,
    ...(cause !== undefined && depth < maxDepth && { cause: describeError(cause, depth + 1) }),
  };
}
