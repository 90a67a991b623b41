/**
 * Replaces `node:http` in the bundles with its CommonJS form. The ESM form lists all its exports on import, including a
 * second HTTP client (undici), which adds 15 ms to a cold start.
 */
export const { Agent, STATUS_CODES, get, request } = process.getBuiltinModule('node:http');
