import { type ApiKey, createApiKey, type NewApiKey } from '#shared/access/api-key';
import {
  type ApiKeyManagement,
  changeApiKey,
  requireKeyRoom,
  requireNotRevoked,
} from '#shared/access/change-api-key';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { latestMoment } from '#shared/timing/day';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

const hourMs = 3_600_000;

/**
 * The successor has the key's name, scopes and caps. The key stays valid until the overlap ends. It gets only one
 * successor: a second rotation, concurrent or later, returns the successor's id.
 */
export async function rotateApiKey(
  { caller, path, body }: RequestTo<typeof endpoint>,
  management: ApiKeyManagement,
): Promise<NewApiKey> {
  const overlapMs = Math.round(body.overlapHours * hourMs);
  await requireKeyRoom(caller, management, 'successor');
  let successor: NewApiKey | undefined;
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
  await changeApiKey(path.id, caller, plan, management);
  if (successor === undefined) throw new Error('The change of a key was not planned');
  return successor;
}

/** A key made for 90 days gets a successor for 90 days. */
function successorOf(apiKey: ApiKey, now: number): NewApiKey {
  const { name, test, scopes, allowedFrom, perMinuteCap, dailyCap, validUntil, createdAt } = apiKey;
  return createApiKey(organizationIdOf(apiKey.id), {
    name,
    scopes,
    ...(test && { test }),
    createdAt: now,
    ...(allowedFrom !== undefined && { allowedFrom }),
    ...(perMinuteCap !== undefined && { perMinuteCap }),
    ...(dailyCap !== undefined && { dailyCap }),
    ...(validUntil !== undefined && {
      validUntil: Math.min(now + (validUntil - createdAt), latestMoment),
    }),
  });
}

const alreadyRotated = (successor: ApiKeyId): ServiceError =>
  new ServiceError(
    'api_key_rotated',
    `This API key was already rotated. Its successor is ${successor}: if nobody has the text of that one, rotate it.`,
  );
