import type { ApiKey } from '#shared/access/api-key';
import {
  type ApiKeyChanging,
  auditedSettingsOf,
  changeApiKey,
  requireFuture,
  requireNotRevoked,
  requireTestScopes,
} from '#shared/access/change-api-key';
import { hasScope, scopes } from '#shared/access/scopes';
import { requireShownKey } from '#shared/access/sign-in';
import { differenceOf } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { endpoint } from './endpoint.ts';

type Request = RequestTo<typeof endpoint>;

/** Changes the given fields of an API key, from its next request on. */
export async function updateApiKey(
  { caller, path, body }: Request,
  changing: ApiKeyChanging,
): Promise<ApiKey> {
  requireFuture(body.validUntil, changing.now());
  const plan = (before: ApiKey, now: number) => {
    requireNotRevoked(before, now);
    const after = withChanges(before, body);
    requireTestScopes(after);
    if (isWider(before, after)) requireShownKey(caller.session, now);
    const difference = differenceOf(auditedSettingsOf(before), auditedSettingsOf(after));
    const changesNothing = Object.keys({ ...difference.before, ...difference.after }).length === 0;
    return changesNothing
      ? undefined
      : { after, change: { action: 'api_key.updated', ...difference } };
  };
  return changeApiKey(path.id, caller, plan, changing);
}

/** Whether a key may do more, more often or for longer than before. */
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

/** A field that is `null` is removed. One that is absent stays. */
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
  }: Request['body'],
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
