import * as z from 'zod/mini';
import { differenceOf, makerOf, newAuditEntry } from '#shared/audit/audit-entry';
import type { TableAndClock } from '#shared/table/table-client';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import type { Caller } from './admit-caller.ts';
import {
  type ApiKey,
  apiKeyStatusOf,
  isManager,
  type NewApiKey,
  createApiKey as newApiKey,
  signedOut,
} from './api-key.ts';
import { storeApiKey } from './api-key-store.ts';
import {
  type ApiKeyManagement,
  auditedSettingsOf,
  changeApiKey,
  requireFuture,
  requireKeysBelowLimit,
  requireManaging,
  requireNotRevoked,
  requireTestScopes,
} from './change-api-key.ts';
import { hasScope, type Scope, scopes } from './scopes.ts';
import { requireShownKey } from './sign-in.ts';

type KeyManager = Pick<Caller, 'organizationId' | 'actor' | 'apiKey'>;

export type NewApiKeySettings = {
  readonly name: string;
  readonly test?: boolean;
  readonly scopes: Scope[];
  readonly allowedFrom?: string[];
  readonly perMinuteCap?: number;
  readonly dailyCap?: number;
  readonly validUntil?: number;
};

export const endsApiKey = {
  tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
} as const;

/** If the answer with the key's text is lost, the key can't be used; create another. */
export async function createApiKey(
  {
    caller,
    body,
  }: { readonly caller: KeyManager & Pick<Caller, 'ownLimits'>; readonly body: NewApiKeySettings },
  management: ApiKeyManagement,
): Promise<NewApiKey> {
  const { organizationId, actor } = caller;
  const now = management.now();
  const { test, ...others } = body;
  const settings = { ...others, ...(test && { test }) };
  requireFuture(settings.validUntil, now);
  requireTestScopes(settings);
  requireManaging(caller, settings);
  await requireKeysBelowLimit(caller, management);
  const created = newApiKey(organizationId, {
    ...settings,
    createdAt: now,
    createdBy: makerOf(actor),
  });
  const { apiKey } = created;
  const change = { action: 'api_key.created', target: apiKey.id, after: auditedSettingsOf(apiKey) };
  const entry = newAuditEntry(organizationId, actor, change, now);
  await storeApiKey(management.table, apiKey, entry);
  return created;
}

type OfKey = { readonly path: { readonly id: ApiKeyId } };

/** Shared by our endpoint and Resend's. */
export const revocationQuery = z.strictObject({ leaked: z.optional(z.enum(['true', 'false'])) });

/**
 * Safe to repeat, and a revoked key may still be marked as leaked. A key may revoke itself, unless it's the last
 * manager.
 */
export async function revokeApiKey(
  {
    caller,
    path,
    query: { leaked },
  }: OfKey & { readonly caller: KeyManager; readonly query: z.output<typeof revocationQuery> },
  changing: TableAndClock,
): Promise<void> {
  const isLeaked = leaked === 'true';
  const plan = (before: ApiKey, now: number) => {
    requireManaging(caller, before);
    return planRevocation(before, isLeaked, now);
  };
  await changeApiKey(path.id, caller, plan, changing);
}

function planRevocation(before: ApiKey, isLeaked: boolean, now: number) {
  const isRevoked = apiKeyStatusOf(before, now) === 'revoked';
  const isNewlyLeaked = isLeaked && before.leaked === undefined;
  if (isRevoked && !isNewlyLeaked) return undefined;
  const leaked = isNewlyLeaked ? { leaked: true as const } : {};
  return {
    after: { ...before, ...leaked, revokedAt: isRevoked ? (before.revokedAt ?? now) : now },
    change: {
      action: 'api_key.revoked',
      before: auditedSettingsOf(before),
      ...(isNewlyLeaked && { after: leaked }),
    },
  };
}

type ApiKeyChanges = {
  readonly name?: string;
  readonly scopes?: Scope[];
  readonly allowedFrom?: string[] | null;
  readonly perMinuteCap?: number | null;
  readonly dailyCap?: number | null;
  readonly validUntil?: number | null;
};

/** Applies from the key's next request on. */
export async function updateApiKey(
  {
    caller,
    path,
    body,
  }: OfKey & {
    readonly caller: KeyManager & Pick<Caller, 'session'>;
    readonly body: ApiKeyChanges;
  },
  changing: TableAndClock,
): Promise<ApiKey> {
  requireFuture(body.validUntil, changing.now());
  const plan = (before: ApiKey, now: number) => {
    requireNotRevoked(before, now);
    const changed = withChanges(before, body);
    const keepsSessions = isManager(before, now) === isManager(changed, now);
    const after = keepsSessions ? changed : signedOut(changed);
    if (body.scopes !== undefined) requireTestScopes(after);
    requireManaging(caller, before, after);
    if (isWider(before, after)) requireShownKey(caller, now);
    const difference = differenceOf(auditedSettingsOf(before), auditedSettingsOf(after));
    const changesNothing = Object.keys({ ...difference.before, ...difference.after }).length === 0;
    return changesNothing
      ? undefined
      : { after, change: { action: 'api_key.updated', ...difference } };
  };
  return changeApiKey(path.id, caller, plan, changing);
}

/** Whether the key may do more, more often or for longer. */
function isWider(before: ApiKey, after: ApiKey): boolean {
  const isAbove = (limit: 'perMinuteCap' | 'dailyCap' | 'validUntil') =>
    (after[limit] ?? Infinity) > (before[limit] ?? Infinity);
  const gainsScope = scopes.some(
    (scope) => hasScope(after.scopes, scope) && !hasScope(before.scopes, scope),
  );
  const gainsFrom =
    before.allowedFrom !== undefined &&
    (after.allowedFrom?.some((from) => !before.allowedFrom?.includes(from)) ?? true);
  return (
    gainsScope ||
    gainsFrom ||
    isAbove('perMinuteCap') ||
    isAbove('dailyCap') ||
    isAbove('validUntil')
  );
}

/** `null` removes a field; an absent one stays. */
function withChanges(
  {
    allowedFrom: ofSender,
    perMinuteCap: ofMinute,
    dailyCap: ofDay,
    validUntil: end,
    ...kept
  }: ApiKey,
  {
    allowedFrom = ofSender,
    perMinuteCap = ofMinute,
    dailyCap = ofDay,
    validUntil = end,
    ...fields
  }: ApiKeyChanges,
): ApiKey {
  return {
    ...kept,
    ...fields,
    ...(allowedFrom && { allowedFrom }),
    ...(typeof perMinuteCap === 'number' && { perMinuteCap }),
    ...(typeof dailyCap === 'number' && { dailyCap }),
    ...(typeof validUntil === 'number' && { validUntil }),
  };
}
