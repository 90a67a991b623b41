import * as z from 'zod/mini';
import { type ApiKey, createApiKey, type NewApiKey } from '#shared/access/api-key';
import {
  apiKeyFieldWords,
  apiKeyWithTextSchema,
  exampleApiKey,
  toApiKeyWithText,
} from '#shared/access/api-key-fields';
import {
  type ApiKeyManagement,
  changeApiKey,
  requireKeysBelowLimit,
  requireManaging,
  requireNotRevoked,
} from '#shared/access/change-api-key';
import { type Actor, makerOf } from '#shared/audit/audit-entry';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { apiKeyPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { latestMoment } from '#shared/timing/day';
import {
  defaultOverlapHours,
  maxOverlapHours,
  overlapHours,
} from '#shared/timing/rotation-overlap';
import { exampleIds } from '#shared/tokens/example-values';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';

const declaration = defineEndpoint({
  route: 'POST /api/v1/api-keys/{id}/rotate',
  access: {
    key: 'required',
    scope: ['sending_keys_manage', 'manage_organization'],
    freshSession: true,
  },
  ...apiKeyPath,
  body: z.strictObject({ overlapHours }),
  isBodyOptional: true,
  answers: {
    201: {
      body: apiKeyWithTextSchema,
      description: 'The successor, with its text.',
      example: { ...exampleApiKey, key: exampleIds.apiKeyText },
    },
  },
  errors: ['api_key_revoked', 'api_key_rotated', 'too_many_api_keys', 'concurrent_change'],
  isLimited: true,
  lambda: { stack: 'Account', tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'API keys',
    summary: 'Rotate an API key',
    description:
      'Creates a successor with the same name, scopes, caps and lifetime. The old key stays valid until the overlap ends. A key has one successor: if you lost the answer with the new key, rotate the successor. The body is optional.',
    fields: {
      ...apiKeyFieldWords,
      overlapHours: `How long the old key stays valid: ${defaultOverlapHours} hours by default, at most ${maxOverlapHours}. With 0 it ends at once.`,
      id: 'The key to rotate; in the answer, its successor.',
    },
    example: { path: { id: exampleIds.apiKey }, body: { overlapHours: 24 } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, capability) =>
  toApiKeyWithText(await rotateApiKey(request, capability), capability.now()),
);

const hourMs = 3_600_000;

/**
 * The successor has the key's name, scopes and caps. The key stays valid until the overlap ends. It gets only one
 * successor: a second rotation, concurrent or later, returns the successor's id.
 */
export async function rotateApiKey(
  { caller, path, body }: RequestTo<typeof declaration>,
  management: ApiKeyManagement,
): Promise<NewApiKey> {
  const overlapMs = Math.round(body.overlapHours * hourMs);
  await requireKeysBelowLimit(caller, management, 'successor');
  let successor: NewApiKey | undefined;
  const plan = (before: ApiKey, now: number) => {
    requireManaging(caller, before);
    requireNotRevoked(before, now);
    if (before.replacedBy !== undefined) throw alreadyRotated(before.replacedBy);
    successor = successorOf(before, caller.actor, now);
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

/** Made by whoever rotates: they get its text. A key made for 90 days gets a successor for 90 days. */
function successorOf(apiKey: ApiKey, actor: Actor, now: number): NewApiKey {
  const { name, test, scopes, allowedFrom, perMinuteCap, dailyCap, validUntil, createdAt } = apiKey;
  return createApiKey(organizationIdOf(apiKey.id), {
    name,
    scopes,
    ...(test && { test }),
    createdAt: now,
    createdBy: makerOf(actor),
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
    `This API key was already rotated. Its successor is ${successor}. If that one’s text was lost, rotate it.`,
  );
