import { paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { organizationSchema } from '#shared/organizations/organization';
import { anyOf, isNew, isPresent, onlyIf } from '#shared/table/conditional-update';
import {
  apiKeyKey,
  organizationKey,
  peopleListPartition,
  personPartitions,
} from '#shared/table/keys';
import type { ListRange } from '#shared/table/list-reader';
import { batchGet, readItem } from '#shared/table/reads';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/writes';
import {
  type ApiKeyId,
  apiKeyIdSchema,
  type OrganizationId,
  operatorsId,
  organizationIdOf,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';
import { type ApiKey, maySwitchTo } from './api-key.ts';
import {
  type ApiKeyPosition,
  apiKeyItemOf,
  getApiKey,
  readListedKeys,
  toApiKey,
} from './api-key-store.ts';
import { isOperatorAddress } from './operators.ts';
import type { SignIn } from './sign-in.ts';

/** An address signs in to at most so many organizations at once. */
const maxOrganizations = 20;

/** Of an organization's people, without those who were removed. Newest first. */
export async function readPeoplePage(
  table: Table,
  organizationId: OrganizationId,
  range: ListRange<ApiKeyPosition>,
) {
  const list = peopleListPartition(organizationId);
  const { items, next } = await readListedKeys(table, list, range);
  const people = items.map(toApiKey);
  return { people: people.filter(({ revokedAt }) => revokedAt === undefined), next };
}

/** Those invited a moment ago may be missing. */
export async function countPeople(table: Table, organizationId: OrganizationId): Promise<number> {
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      IndexName: tableIndexes.gsi2.name,
      KeyConditionExpression: 'gsi2pk = :pk',
      ExpressionAttributeValues: { ':pk': peopleListPartition(organizationId) },
      Select: 'COUNT',
    },
  );
  let count = 0;
  for await (const { Count = 0 } of pages) count += Count;
  return count;
}

const entrySchema = z.object({ gsi1sk: apiKeyIdSchema });

/**
 * The personal keys of an address, in every organization, and as an operator: that one may not be made yet.
 *
 * @param identity `EmailAddress.identity`
 */
export async function findPersonalKeys(
  table: Table,
  identity: string,
): Promise<readonly ApiKeyId[]> {
  const found = await Promise.all(
    personPartitions(identity).map(async (pk) => {
      const { Items = [] } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: tableIndexes.gsi1.name,
          KeyConditionExpression: 'gsi1pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          Limit: maxOrganizations,
        }),
      );
      return Items.map((item) => entrySchema.parse(item).gsi1sk);
    }),
  );
  const operator = isOperatorAddress(identity) ? [personalKeyIdOf(operatorsId, identity)] : [];
  return [...operator, ...found.flat().slice(0, maxOrganizations)];
}

/** As `findPersonalKeys`, with what is stored of them. */
export async function readPersonalKeys(table: Table, identity: string): Promise<readonly ApiKey[]> {
  const ids = await findPersonalKeys(table, identity);
  const found = await Promise.all(ids.map((id) => getApiKey(table, id)));
  return found.flatMap((one) => one?.apiKey ?? []);
}

type OwnOrganization = {
  readonly id: OrganizationId;
  readonly name: string;
  readonly role: string;
};

const named = z.pick(organizationSchema, { name: true });

/**
 * Those to which whoever has this session may switch, its own included.
 *
 * @param identity `EmailAddress.identity`
 */
export async function readOrganizationsOf(
  table: Table,
  identity: string,
  session: Pick<SignIn, 'oidc' | 'startedAt'>,
  now: number,
): Promise<readonly OwnOrganization[]> {
  const keys = (await findPersonalKeys(table, identity)).map((keyId) => {
    const id = organizationIdOf(keyId);
    return { id, key: apiKeyKey(keyId), organization: organizationKey(id) };
  });
  const itemOf = await batchGet(
    table,
    keys.flatMap(({ key, organization }) => [key, organization]),
  );
  return keys.flatMap(({ id, key, organization }) => {
    const [stored, of] = [itemOf(key), itemOf(organization)];
    if (stored === undefined || of === undefined) return [];
    const apiKey = toApiKey(stored);
    if (apiKey.person === undefined || !maySwitchTo(apiKey, session, now)) return [];
    const { name } = readItem('organization', named, of);
    return [{ id, name, role: apiKey.person.role }];
  });
}

/** @param beside written with it, or not at all; `too_many` if a condition of theirs fails */
export async function storePerson(
  table: Table,
  apiKey: ApiKey,
  beside: readonly TransactionItem[],
): Promise<'stored' | 'exists' | 'too_many'> {
  const isNobodys = anyOf(isNew, isPresent('revokedAt'));
  const outcome = await transactWrite(table, [
    { Put: { Item: apiKeyItemOf(apiKey), ...onlyIf(isNobodys) } },
    ...beside,
  ]);
  if (outcome.committed) return 'stored';
  return outcome.conditions[0]?.failed === true ? 'exists' : 'too_many';
}

/** Names who made each change, if a person did. Removed ones, too. */
export async function readActorNames(
  table: Table,
  entries: readonly Pick<AuditEntry, 'actor' | 'isPerson'>[],
): Promise<(entry: Pick<AuditEntry, 'actor'>) => { readonly person?: string }> {
  const byPeople = entries.filter(({ isPerson }) => isPerson);
  const ids = [...new Set(byPeople.map(({ actor }) => actor))].flatMap(
    (actor) => apiKeyIdSchema.safeParse(actor).data ?? [],
  );
  if (ids.length === 0) return () => ({});
  const itemOf = await batchGet(table, ids.map(apiKeyKey));
  const emails = new Map<string, string | undefined>(
    ids.map((id) => {
      const item = itemOf(apiKeyKey(id));
      return [id, item && toApiKey(item).person?.email];
    }),
  );
  return ({ actor }) => {
    const person = emails.get(actor);
    return person === undefined ? {} : { person };
  };
}
