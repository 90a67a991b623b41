import * as z from 'zod/mini';
import type { ApiKey } from '#shared/access/api-key';
import { apiKeyFields } from '#shared/access/api-key-fields';
import type { NewApiKeySettings } from '#shared/access/manage-api-keys';
import { wideScopes } from '#shared/access/scopes';
import { domainField } from '#shared/domains/domain-field';
import { invalidField } from '#shared/errors/service-error';
import { given } from '#shared/http/given-fields';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';
import { resendTime, resendTimeSchema } from './management.ts';

export const resendApiKeySchema = z.strictObject({
  name: apiKeyFields.name,
  permission: given(z.enum(['full_access', 'sending_access'])),
  domain_id: given(domainField),
});

/** `full_access` is Resend's default. */
export function toApiKeySettings({
  name,
  permission,
  domain_id,
}: z.output<typeof resendApiKeySchema>): NewApiKeySettings {
  if (permission === 'sending_access') {
    const allowedFrom = domain_id == null ? undefined : [`*@${domain_id}`];
    return { name, scopes: ['send_email'], ...(allowedFrom && { allowedFrom }) };
  }
  if (domain_id != null) {
    throw invalidField('domain_id', 'goes with the permission sending_access only');
  }
  return { name, scopes: [...wideScopes] };
}

export const resendNewApiKeySchema = z.object({ id: apiKeyIdSchema, token: z.string() });

/** Resend's clients check that a key starts with `re_`. */
export const tokenOf = (text: string): string => `re_${text}`;

export const resendListedApiKeySchema = z.object({
  id: apiKeyIdSchema,
  name: z.string(),
  created_at: resendTimeSchema,
  last_used_at: z.nullable(resendTimeSchema),
});

export const toListedResendApiKey = ({ id, name, createdAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  created_at: resendTime(createdAt),
  last_used_at: lastUsedAt === undefined ? null : resendTime(lastUsedAt),
});

export const resendApiKeyIdSchema = z.object({
  object: z.literal('api_key'),
  id: apiKeyIdSchema,
});

export const resendApiKeyWords = {
  id: 'The ID of the API key.',
  name: 'The name of the key, for people.',
  permission:
    '`full_access`, the default, may do everything. `sending_access` has `send_email` alone: the key sends, and reads nothing.',
  domain_id: 'Of a key that sends: the domain that it may send from. Its ID is the domain itself.',
  token: 'The text of the key, shown only in this answer, with `re_` before it.',
  last_used_at: 'When it was last used, up to an hour behind; `null` if never.',
} as const;

export const exampleNewApiKey = {
  id: exampleIds.apiKey,
  token: tokenOf(exampleIds.apiKeyText),
} as const;

export const exampleListedApiKey = {
  id: exampleIds.apiKey,
  name: 'billing',
  created_at: resendTime(exampleTime),
  last_used_at: null,
} as const;

export const exampleApiKeyId = { object: 'api_key', id: exampleIds.apiKey } as const;
