import { createHmac, timingSafeEqual } from 'node:crypto';
import type * as z from 'zod/mini';
import { invalidField } from '#shared/errors/service-error';
import { randomBase32 } from '#shared/tokens/base32';

export type CursorOwner = {
  /** The organization's id, or `operator` for the operator's lists. */
  readonly id: string;
  readonly secret: string;
};

/** Valid for one list of one owner with the same filters. */
export type CursorScope = {
  /** Unique per list, for example `sends`. */
  readonly list: string;
  readonly owner: CursorOwner;
  /** The request's parameters except `limit` and `cursor`, as JSON values. */
  readonly filters?: Readonly<Record<string, unknown>>;
};

/** 260 random bits, more than the hash outputs (RFC 2104 §3). */
export const newCursorSecret = (): string => randomBase32(52);

/**
 * Seals a position for callers: the position and its MAC, in base64url (RFC 4648 §5). A cursor starts with a letter or
 * a digit, so no command line takes it for an option. Decoding it reveals only what the entry shows anyway.
 *
 * @returns `null` at the end of the list.
 */
export const sealCursor = (position: string | undefined, scope: CursorScope): string | null =>
  position === undefined ? null : sealed(position, scope);

/**
 * Accepts only a cursor sealed for this scope.
 *
 * @returns `undefined` without a cursor.
 * @throws ServiceError `validation_failed` at `cursor`
 */
export function unsealCursor<Position extends string>(
  cursor: string | undefined,
  positionSchema: z.ZodMiniType<Position>,
  scope: CursorScope,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').subarray(0, -macLength).toString();
  const position = positionSchema.safeParse(text);
  // Compares the whole text, so padding, stray bits or another alphabet make no second valid cursor.
  if (position.success && isEqual(cursor, sealed(position.data, scope))) return position.data;
  throw invalidField(
    'cursor',
    "isn't a cursor for this list and these filters: send nextCursor unchanged with the same parameters, or leave it out to start over",
  );
}

/** Bytes: the left half of the hash (RFC 2104 §5). */
const macLength = 16;

const sealed = (position: string, scope: CursorScope): string =>
  Buffer.concat([Buffer.from(position), macOf(position, scope)]).toString('base64url');

/** JSON keeps the parts apart, so different scopes or positions never have the same text. */
const macOf = (position: string, { list, owner, filters = {} }: CursorScope): Buffer =>
  createHmac('sha256', owner.secret)
    .update(JSON.stringify([list, owner.id, inOrder(filters), position]))
    .digest()
    .subarray(0, macLength);

const inOrder = (filters: Readonly<Record<string, unknown>>) =>
  Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
