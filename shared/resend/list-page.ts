import * as z from 'zod/mini';
import { invalidField } from '#shared/errors/service-error';

export const resendPageFields = {
  limit: z.optional(z.coerce.number<number | string>().check(z.int(), z.gte(1), z.lte(100))),
  after: z.optional(z.string()),
  before: z.optional(z.string()),
};

type ResendPage = {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

export const resendListSchema = <Entry extends z.ZodMiniType>(entry: Entry) =>
  z.object({ object: z.literal('list'), has_more: z.boolean(), data: z.array(entry) });

export const resendList = <Entry>(data: readonly Entry[], hasMore: boolean) => ({
  object: 'list' as const,
  has_more: hasMore,
  data,
});

/** For a list short enough to be read whole. Without a limit, returns all of it. */
export function pageOf<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  { limit = entries.length, after, before }: ResendPage,
) {
  requireOneDirection({ after, before });
  if (before !== undefined) {
    const end = placeOf(entries, 'before', before);
    const start = Math.max(0, end - limit);
    return resendList(entries.slice(start, end), start > 0);
  }
  const start = after === undefined ? 0 : placeOf(entries, 'after', after) + 1;
  return resendList(entries.slice(start, start + limit), start + limit < entries.length);
}

export function requireOneDirection({ after, before }: ResendPage): void {
  if (after === undefined || before === undefined) return;
  throw invalidField('before', 'can’t be combined with after');
}

function placeOf(
  entries: readonly { readonly id: string }[],
  parameter: 'after' | 'before',
  target: string,
): number {
  const place = entries.findIndex(({ id }) => id === target);
  if (place < 0) throw unknownEntry(parameter);
  return place;
}

export const unknownEntry = (parameter: 'after' | 'before') =>
  invalidField(parameter, 'must be the id of an entry of the list');
