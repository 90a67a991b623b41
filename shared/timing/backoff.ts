import { setTimeout as sleep } from 'node:timers/promises';

/** The longest wait, in milliseconds, before attempt `attempt` (1 is the first retry). */
export const backoffCeiling = (attempt: number, baseMs: number, capMs: number): number =>
  Math.min(capMs, baseMs * 2 ** (attempt - 1));

/** Waits a random time below the ceiling ("full jitter", AWS Architecture Blog). */
export async function backOff(attempt: number, baseMs: number, capMs: number): Promise<void> {
  await sleep(Math.random() * backoffCeiling(attempt, baseMs, capMs));
}
