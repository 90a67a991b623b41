import * as z from 'zod/mini';
import { dayMs } from '#shared/timing/day';
import type { StoredItem } from './table-client.ts';

/**
 * DynamoDB deletes by this attribute: epoch seconds. Each store says how long it keeps its items; for sends and all
 * that they own, see `config/environment.ts`.
 */
export const expiryAfter = (now: number, days: number): number => toSeconds(now + days * dayMs);

/** Whole seconds, for `expiresAt`. */
export const toSeconds = (moment: number): number => Math.floor(moment / 1000);

const expirySchema = z.object({
  expiresAt: z.int(),
  /** Epoch seconds, after which reads hide an item that is only kept for another item's sake. */
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
