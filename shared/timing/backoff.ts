import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before retry number `attempt` (from 1). Grows by `factor` each time. */
export const backoffCeiling = (
  attempt: number,
  baseMs: number,
  capMs: number,
  factor = 2,
): number => Math.min(capMs, baseMs * factor ** (attempt - 1));

/** Waits a random time below the ceiling ("full jitter", AWS Architecture Blog). */
export async function backOff(attempt: number, baseMs: number, capMs: number): Promise<void> {
  await sleep(Math.random() * backoffCeiling(attempt, baseMs, capMs));
}
