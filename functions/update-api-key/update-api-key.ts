import type { ApiKey } from '#shared/access/api-key';
import { authenticateManager } from '#shared/access/authenticate';
import {
  type ApiKeyManagement,
  auditedSettingsOf,
  changeApiKey,
  requireFuture,
  requireNotRevoked,
} from '#shared/access/change-api-key';
import { hasScope, scopes } from '#shared/access/scopes';
import { requireShownKey } from '#shared/access/sign-in';
import { differenceOf } from '#shared/audit/audit-entry';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import type { UpdateApiKeyRequest } from './endpoint.ts';

/**
 * Changes the given fields of an API key. They count at its next request.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `api_key_not_found`,
 *   `api_key_revoked`, `last_manager_key`, `key_confirmation_required`, `concurrent_change`
 */
export async function updateApiKey(
  credential: string | undefined,
  id: ApiKeyId | undefined,
  parse: () => UpdateApiKeyRequest,
  management: ApiKeyManagement,
): Promise<ApiKey> {
  const manager = await authenticateManager(credential, management);
  const request = parse();
  requireFuture(request.validUntil, management.now());
  const plan = (before: ApiKey, now: number) => {
    requireNotRevoked(before, now);
    const after = withChanges(before, request);
    if (isWider(before, after)) requireShownKey(manager.session, now);
    const difference = differenceOf(auditedSettingsOf(before), auditedSettingsOf(after));
    const changesNothing = Object.keys({ ...difference.before, ...difference.after }).length === 0;
    return changesNothing
      ? undefined
      : { after, change: { action: 'api_key.updated', ...difference } };
  };
  return changeApiKey(id, manager, plan, management);
}

/** Whether a key may do more, more often or for longer than before. */
function isWider(before: ApiKey, after: ApiKey): boolean {
  const isAbove = (limit: 'perMinuteCap' | 'dailyCap' | 'validUntil') =>
    (after[limit] ?? Infinity) > (before[limit] ?? Infinity);
  const gainsScope = scopes.some(
    (scope) => hasScope(after.scopes, scope) && !hasScope(before.scopes, scope),
  );
  return gainsScope || isAbove('perMinuteCap') || isAbove('dailyCap') || isAbove('validUntil');
}

/** A field that is `null` is taken away. One that is not given stays. */
function withChanges(
  { perMinuteCap: ofMinute, dailyCap: ofDay, validUntil: end, ...kept }: ApiKey,
  { perMinuteCap = ofMinute, dailyCap = ofDay, validUntil = end, ...fields }: UpdateApiKeyRequest,
): ApiKey {
  return {
    ...kept,
    ...fields,
    ...(typeof perMinuteCap === 'number' && { perMinuteCap }),
    ...(typeof dailyCap === 'number' && { dailyCap }),
    ...(typeof validUntil === 'number' && { validUntil }),
  };
}
