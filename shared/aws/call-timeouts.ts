/**
 * A call without an answer for this many milliseconds is on a dead connection, and the SDK's retry opens a new one.
 * Tests multiply the timeouts by `CALL_TIMEOUT_FACTOR`, because stand-ins on a busy machine answer slowly.
 *
 * @returns options of `NodeHttpHandler`.
 */
export function callTimeouts(silentMs: number) {
  const factor = Number(process.env['CALL_TIMEOUT_FACTOR'] ?? 1);
  return {
    connectionTimeout: 1_000 * factor,
    requestTimeout: silentMs * factor,
    throwOnRequestTimeout: true,
  };
}
