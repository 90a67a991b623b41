import { type ApiKey, createApiKey } from '#shared/access/api-key';
import { authenticateManager } from '#shared/access/authenticate';
import {
  type ApiKeyManagement,
  changeApiKey,
  requireKeyRoom,
  requireNotRevoked,
} from '#shared/access/change-api-key';
import { requireShownKey } from '#shared/access/sign-in';
import { ServiceError } from '#shared/errors/service-error';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import type { RotateApiKeyRequest } from './endpoint.ts';

type NewKey = ReturnType<typeof createApiKey>;

/**
 * Makes a key that takes the place of another, with its name, scopes and caps. The other one is valid until
 * the overlap ends. A key has one successor: of two rotations at once one wins, and a repeated one is told
 * of the successor. If the answer was lost, the successor can be rotated.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `api_key_not_found`,
 *   `api_key_revoked`, `api_key_rotated`, `key_confirmation_required`,
 *   `too_many_api_keys`, `concurrent_change`
 */
export async function rotateApiKey(
  credential: string | undefined,
  id: ApiKeyId | undefined,
  parse: () => RotateApiKeyRequest,
  management: ApiKeyManagement,
): Promise<NewKey> {
  const manager = await authenticateManager(credential, management);
  requireShownKey(manager.session, management.now());
  const overlapMs = Math.round(parse().overlapHours * hourMs);
  await requireKeyRoom(manager, management, 'successor');
  let successor: NewKey | undefined;
  const plan = (before: ApiKey, now: number) => {
    requireNotRevoked(before, now);
    if (before.replacedBy !== undefined) throw alreadyRotated(before.replacedBy);
    successor = successorOf(before, now);
    const { id: replacedBy } = successor.apiKey;
    const validUntil = Math.min(before.validUntil ?? Infinity, now + overlapMs);
    return {
      after: { ...before, validUntil, replacedBy },
      successor: successor.apiKey,
      change: { action: 'api_key.rotated', after: { replacedBy, validUntil } },
    };
  };
  await changeApiKey(id, manager, plan, management);
  if (successor === undefined) throw new Error('The change of a key was not planned');
  return successor;
}

const hourMs = 3_600_000;

/** A key that was made for 90 days is followed by one for 90 days. */
function successorOf(apiKey: ApiKey, now: number): NewKey {
  const { name, scopes, perMinuteCap, dailyCap, validUntil, createdAt } = apiKey;
  return createApiKey(organizationIdOf(apiKey.id), {
    name,
    scopes,
    createdAt: now,
    ...(perMinuteCap !== undefined && { perMinuteCap }),
    ...(dailyCap !== undefined && { dailyCap }),
    ...(validUntil !== undefined && { validUntil: now + (validUntil - createdAt) }),
  });
}

const alreadyRotated = (successor: ApiKeyId): ServiceError =>
  new ServiceError(
    'api_key_rotated',
    `This API key was rotated before. Its successor is ${successor}: if nobody has that one, rotate it.`,
  );
