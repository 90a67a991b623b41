import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { ServiceError } from '#shared/errors/service-error';
import { contactDigestOf, type Organization } from '#shared/organizations/organization';
import { isNew, onlyIf } from '#shared/table/conditional-update';
import { newCursorSecret } from '#shared/table/cursor';
import { apiKeyKey, organizationKey } from '#shared/table/keys';
import { getItem } from '#shared/table/reads';
import type { StoredItem, Table, TableAndClock } from '#shared/table/table-client';
import { requireItem, transactWrite, writeIf } from '#shared/table/writes';
import {
  enteredKeyIdOf,
  type OrganizationId,
  operatorsId,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';
import type { SignedIn } from './admit-caller.ts';
import { type ApiKey, createApiKey, withScopesOfRole } from './api-key.ts';
import { apiKeyItemOf } from './api-key-store.ts';
import { isOperatorAddress, operatorRole } from './operators.ts';
import { readPersonalKeys } from './people-store.ts';
import { actorOf, type Session, switchedSession } from './sign-in.ts';

/**
 * All that an address signs in to. If the deployment's setting names it, its key as an operator is made here, so that
 * nothing in the table makes an operator.
 *
 * @param identity `EmailAddress.identity`
 */
export async function personalKeysFor(
  identity: string,
  { table, now }: TableAndClock,
): Promise<readonly ApiKey[]> {
  if (isOperatorAddress(identity)) await ensureOperator(table, identity, now());
  return readPersonalKeys(table, identity);
}

async function ensureOperator(table: Table, identity: string, now: number): Promise<void> {
  const id = personalKeyIdOf(operatorsId, identity);
  if ((await getItem(table, apiKeyKey(id))) !== undefined) return;
  const { apiKey } = createApiKey(operatorsId, { name: 'operator', scopes: [], createdAt: now });
  const person = { email: identity, role: operatorRole };
  // The key last: who has one has the organization, too.
  await putNew(table, { ...organizationKey(operatorsId), ...operators(now) });
  await putNew(table, apiKeyItemOf(withScopesOfRole({ ...apiKey, id, person })));
}

/** In no list, unlike other organizations. */
const operators = (now: number): Organization => ({
  id: operatorsId,
  name: 'Operators',
  paused: false,
  attachmentsEnabled: false,
  policies: {},
  webhooks: {},
  ...contactDigestOf(operatorsId),
  cursorSecret: newCursorSecret(),
  createdAt: now,
  updatedAt: now,
});

async function putNew(table: Table, item: StoredItem): Promise<void> {
  const put = new PutCommand({ TableName: table.name, Item: item, ...onlyIf(isNew) });
  await writeIf(() => table.client.send(put));
}

/** How long an operator stays in an organization. */
export const enteredMs = 3_600_000;

type Entering = { readonly organizationId: OrganizationId; readonly reason: string };

/**
 * Begins a session in an organization, with the role `support`. Both audits say so, in the same transaction. Whoever
 * enters again starts over, and their session from before ends.
 */
export async function enterOrganization(
  { apiKey, actor, session }: SignedIn,
  { organizationId, reason }: Entering,
  { table, now: readClock }: TableAndClock,
): Promise<{ readonly text: string; readonly signIn: Session }> {
  const { person } = apiKey;
  const { id: own } = session;
  if (person === undefined || own === undefined || organizationId === operatorsId) {
    throw unknownOrganization();
  }
  const now = readClock();
  const { apiKey: made } = createApiKey(organizationId, {
    name: 'operator',
    scopes: [],
    createdAt: now,
    validUntil: Math.min(now + enteredMs, session.expiresAt),
  });
  const entered: ApiKey = withScopesOfRole({
    ...made,
    id: enteredKeyIdOf(organizationId, person.email),
    person: {
      email: person.email,
      role: 'support',
      entered: { reason, by: apiKey.id, session: own },
    },
    lastUsedAt: now,
  });
  const begun = switchedSession(session, entered);
  const change = { action: 'operator.entered', after: { reason } };
  const target = { target: organizationId };
  const inIt = newAuditEntry(
    organizationId,
    actorOf(entered, begun.signIn),
    { ...change, ...target },
    now,
  );
  const ofOperators = newAuditEntry(operatorsId, actor, { ...change, ...target }, now);
  const outcome = await transactWrite(table, [
    requireItem(organizationKey(organizationId)),
    { Put: { Item: apiKeyItemOf({ ...entered, signIns: [begun.signIn] }) } },
    putAuditEntry(inIt),
    putAuditEntry(ofOperators),
  ]);
  if (!outcome.committed) throw unknownOrganization();
  return begun;
}

const unknownOrganization = (): ServiceError => new ServiceError('organization_not_found');
