import { createApiKey } from '#shared/access/manage-api-keys';
import { invalidField } from '#shared/errors/service-error';
import { openIdentityStore } from '#shared/identity/identity-store';
import { wantingOf } from '#shared/identity/set-domain';
import { toApiKeySettings, tokenOf } from '#shared/resend/api-keys';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  { identities: openIdentityStore },
  async ({ caller, body }, { identities, ...creating }) => {
    const settings = toApiKeySettings(body);
    if (body.domain_id != null) {
      const both = await identities.readBoth(caller.organizationId, body.domain_id);
      // A key for a domain that doesn't exist could send nothing.
      if (wantingOf(both, body.domain_id) === undefined) {
        throw invalidField('domain_id', 'must be the id of a domain of yours');
      }
    }
    const { text, apiKey } = await createApiKey({ caller, body: settings }, creating);
    return { id: apiKey.id, token: tokenOf(text) };
  },
);
