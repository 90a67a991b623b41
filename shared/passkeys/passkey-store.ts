import * as z from 'zod/mini';
import { is, isNew, onlyIf } from '#shared/table/conditional-update';
import { expiryAfter, isExpired } from '#shared/table/expiry';
import { accountHandlesOf, passkeysKey } from '#shared/table/keys';
import { getItem, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/writes';
import { type Passkey, passkeyDays, passkeySchema } from './passkey.ts';

/** All passkeys of an address. Authenticators keep its handle, so it leads from a passkey to its owner. */
export type Account = {
  readonly handle: string;
  readonly identity: string;
  readonly passkeys: readonly Passkey[];
  /** Every write raises it. 0 if nothing is stored. */
  readonly version: number;
};

const storedSchema = z.object({
  identity: z.string(),
  passkeys: z.array(passkeySchema),
  version: z.int(),
});

/** @param identity `EmailAddress.identity` */
export async function readAccount(table: Table, identity: string, now: number): Promise<Account> {
  const handles = accountHandlesOf(identity);
  const found = await Promise.all(handles.map((handle) => findAccount(table, handle, now)));
  const [handle] = handles;
  return (
    found.find((account) => account !== undefined) ?? { handle, identity, passkeys: [], version: 0 }
  );
}

/** Those that nobody used for too long are gone, even while their item remains. */
export async function findAccount(
  table: Table,
  handle: string,
  now: number,
): Promise<Account | undefined> {
  const item = await getItem(table, passkeysKey(handle));
  if (item === undefined) return undefined;
  const { identity, passkeys, version } = readItem('passkeys', storedSchema, item);
  return { handle, identity, passkeys: isExpired(item, now) ? [] : passkeys, version };
}

/**
 * Requires the account as read: of two answers to one challenge, the second finds the first.
 *
 * @param beside written with it, or not at all
 * @returns whether it was stored
 */
export async function storePasskeys(
  table: Table,
  { handle, identity, version }: Account,
  passkeys: readonly Passkey[],
  beside: readonly TransactionItem[] = [],
): Promise<boolean> {
  const asRead = onlyIf(version === 0 ? isNew : is('version', version));
  const usedAt = passkeys.map(({ createdAt, lastUsedAt = createdAt }) => lastUsedAt);
  const Item = {
    ...passkeysKey(handle),
    identity,
    passkeys,
    version: version + 1,
    expiresAt: expiryAfter(Math.max(0, ...usedAt), passkeyDays),
  };
  const outcome = await transactWrite(table, [{ Put: { Item, ...asRead } }, ...beside]);
  return outcome.committed;
}
