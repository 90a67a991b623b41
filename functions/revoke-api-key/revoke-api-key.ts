import { type ApiKey, apiKeyStatusOf } from '#shared/access/api-key';
import {
  type ApiKeyChanging,
  auditedSettingsOf,
  changeApiKey,
} from '#shared/access/change-api-key';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { endpoint } from './endpoint.ts';

/** Revokes an API key. Revoking it again changes nothing. A key may revoke itself, unless it is the last manager. */
export async function revokeApiKey(
  { caller, path }: RequestTo<typeof endpoint>,
  changing: ApiKeyChanging,
): Promise<void> {
  await changeApiKey(path.id, caller, planRevocation, changing);
}

function planRevocation(before: ApiKey, now: number) {
  if (apiKeyStatusOf(before, now) === 'revoked') return undefined;
  return {
    after: { ...before, revokedAt: now },
    change: { action: 'api_key.revoked', before: auditedSettingsOf(before) },
  };
}
