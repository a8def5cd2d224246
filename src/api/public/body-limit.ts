export const publicBodyLimitBytes = 256 * 1024;
