import type { Refusal } from '#shared/access/refusal';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';

/** A request that was refused once. */
export const buildRefusal = (fields: Partial<Refusal> = {}): Refusal => ({
  apiKeyId: newApiKeyId(newOrganizationId()),
  route: 'POST /api/v1/emails/send',
  status: 400,
  code: 'validation_failed',
  fields: ['to'],
  message: '`to` is required',
  at: 1_750_000_000_000,
  requestId: 'request-1',
  count: 1,
  ...fields,
});
