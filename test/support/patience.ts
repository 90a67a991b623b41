/**
 * How long a test waits for what happens in its own time: nearly as long as it may take itself. It asks
 * often, so it is as fast as the machine. Vitest's own default, a second, is too short for a busy one.
 */
export const patience = { timeout: 150_000, interval: 100 };

/**
 * For a twin under test: what it calls is as slow as the machine is busy. After the 8 s of a deployment the outcome of
 * a send would be unknown, and a table that never answers in time fails a request.
 */
export const patientTwin = { PROVIDER_CALL_TIMEOUT_MS: '30000', CALL_TIMEOUT_FACTOR: '10' };
