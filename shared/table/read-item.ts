import type * as z from 'zod/mini';
import { type ItemName, UnreadableItemError } from '#shared/errors/unreadable-item';
import { publishCount } from '#shared/observability/metrics';

/**
 * Unreadable items raise an alarm.
 *
 * @throws UnreadableItemError
 */
export function readItem<Schema extends z.ZodMiniType>(
  name: ItemName,
  schema: Schema,
  item: unknown,
): z.output<Schema> {
  const read = schema.safeParse(item);
  if (read.success) return read.data;
  publishCount('StoredItemUnreadable', {});
  throw new UnreadableItemError(name, read.error.issues);
}
