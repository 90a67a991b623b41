/**
 * How long a test waits for what happens in its own time: nearly as long as it may take itself. It asks
 * often, so it is as fast as the machine. Vitest's own default, a second, is too short for a busy one.
 */
export const patience = { timeout: 150_000, interval: 50 };
