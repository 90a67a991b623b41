import * as z from 'zod/mini';
import { dayMs } from '#shared/timing/day';
import type { StoredItem } from './table-client.ts';

// How long a thing is kept is said where it is stored. Of sends, with all that they own: `config/environment.ts`.

/** The attribute that DynamoDB deletes by: epoch seconds. */
export const expiryAfter = (now: number, days: number): number => toSeconds(now + days * dayMs);

/** Epoch milliseconds to the whole seconds of `expiresAt`. */
export const toSeconds = (moment: number): number => Math.floor(moment / 1000);

const expirySchema = z.object({
  expiresAt: z.int(),
  /** From then on reads hide an item that stays in the table for another's sake. Epoch seconds. */
  forgottenAt: z.optional(z.int()),
});

/**
 * DynamoDB deletes items up to two days after they expire, so every read hides expired ones (DynamoDB developer guide,
 * "Using time to live").
 */
export function isExpired(item: StoredItem, now: number): boolean {
  const expiry = expirySchema.safeParse(item);
  if (!expiry.success) return false;
  const { expiresAt, forgottenAt = expiresAt } = expiry.data;
  return Math.min(forgottenAt, expiresAt) <= toSeconds(now);
}
