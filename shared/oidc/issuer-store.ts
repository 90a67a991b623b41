import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { expiryAfter, isExpired } from '#shared/table/expiry';
import { issuerKey } from '#shared/table/keys';
import { getItem, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { type ApiKeyId, apiKeyIdSchema } from '#shared/tokens/resource-id';

const itemSchema = z.object({ keyIds: z.array(apiKeyIdSchema) });

/** Keeps the item small. An address signs in to at most 20 organizations at once. */
const maxKeys = 40;

/**
 * The personal keys of an account at the issuer, or those that one of its sessions there has signed in to.
 *
 * @param digest `issuerDigest`
 */
export async function readIssuerKeys(
  table: Table,
  digest: string,
  now: number,
): Promise<readonly ApiKeyId[]> {
  const item = await getItem(table, issuerKey(digest));
  if (item === undefined || isExpired(item, now)) return [];
  return readItem('issuer account', itemSchema, item).keyIds;
}

/** @param keptDays after which it's forgotten, unless it's stored again. */
export async function storeIssuerKeys(
  table: Table,
  digest: string,
  keyIds: readonly ApiKeyId[],
  { now, keptDays }: { readonly now: number; readonly keptDays: number },
): Promise<void> {
  const Item = {
    ...issuerKey(digest),
    keyIds: keyIds.slice(0, maxKeys),
    expiresAt: expiryAfter(now, keptDays),
  };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
}
