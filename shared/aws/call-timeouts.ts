/**
 * A call that is silent for so many milliseconds is on a dead connection; the SDK's retry opens a new one. Tests on a
 * busy machine multiply that: what they call is as slow as the machine.
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
