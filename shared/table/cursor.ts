import { createHmac, timingSafeEqual } from 'node:crypto';
import type * as z from 'zod/mini';
import { invalidField } from '#shared/errors/service-error';
import { randomBase32 } from '#shared/tokens/base32';

/** Whose lists they are, and the secret that seals the cursors of them. */
export type CursorOwner = {
  /** The organization's id; of the operator's lists, `operator`. */
  readonly id: string;
  readonly secret: string;
};

/** What a cursor is good for: one list of one owner, asked for with the same filters. */
export type CursorScope = {
  /** Tells the list from every other, for example `sends`. */
  readonly list: string;
  readonly owner: CursorOwner;
  /** All that the request asks but `limit` and `cursor`, as JSON values. */
  readonly filters?: Readonly<Record<string, unknown>>;
};

/** A secret that seals cursors: 260 random bits, more than the hash gives out (RFC 2104 §3). */
export const newCursorSecret = (): string => randomBase32(52);

/**
 * A position as callers hold it, to go on there: the position and the MAC, in base64url (RFC 4648 §5). It
 * begins with a letter or a digit, so that no command line takes it for an option. Whoever decodes it reads
 * what the entry shows anyway; nobody else can make one.
 *
 * @returns `null` at the end of the list, as an answer says it.
 */
export const sealCursor = (position: string | undefined, scope: CursorScope): string | null =>
  position === undefined ? null : sealed(position, scope);

/**
 * The position that a cursor in a request stands for, if it was sealed for this scope.
 *
 * @returns `undefined` without a cursor.
 * @throws ServiceError `validation_failed` at `cursor`
 */
export function openCursor<Position extends string>(
  cursor: string | undefined,
  positionSchema: z.ZodMiniType<Position>,
  scope: CursorScope,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').subarray(0, -macLength).toString();
  const position = positionSchema.safeParse(text);
  // The whole text is compared: padding, stray bits or another alphabet make no second cursor.
  if (position.success && isEqual(cursor, sealed(position.data, scope))) return position.data;
  throw invalidField(
    'cursor',
    'is no cursor of this list with these filters: take nextCursor of an earlier answer as it is, and ask the rest as then; or leave it out, to begin anew',
  );
}

/** Bytes: the left half of the hash (RFC 2104 §5). */
const macLength = 16;

const sealed = (position: string, scope: CursorScope): string =>
  Buffer.concat([Buffer.from(position), macOf(position, scope)]).toString('base64url');

/** JSON keeps the parts apart, so no two scopes or positions are the same text. */
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
