import * as z from 'zod/mini';
import { addressField } from '#shared/contacts/address-field';
import { domainField, mailFromLabelField } from '#shared/domains/domain-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { admitIdentityChange } from '#shared/identity/identity-changes';
import { identityAnswer, identityReference } from '#shared/identity/identity-reference';
import { getBothIdentities } from '#shared/identity/identity-store';
import { changeErrors, changesDomains, domainChanges } from '#shared/identity/identity-upkeep';
import { requireElsewhereWithout, setDomain } from '#shared/identity/set-domain';

export const endpoint = defineEndpoint(
  {
    route: 'PUT /api/v1/organization/identity',
    access: { key: 'required', scope: 'manage_organization' },
    body: z
      .strictObject({
        domain: domainField,
        fromEmail: addressField,
        mailFromLabel: z._default(mailFromLabelField, 'bounces'),
      })
      .check(
        z.refine(({ domain, fromEmail }) => fromEmail.endsWith(`@${domain}`), {
          path: ['fromEmail'],
          error: 'must be an address of the domain',
        }),
      ),
    answers: { 200: identityAnswer },
    errors: ['domain_exists', ...changeErrors],
    isLimited: true,
    uses: changesDomains,
    lambda: { stack: 'Account', tableActions: domainChanges },
    words: {
      section: 'Organization',
      summary: 'Set the From identity of the organization',
      description:
        'Returns the DNS records to publish. The TXT record proves that the domain is this organization’s: each organization gets its own value. SES looks for the DKIM records for 72 hours; if it gives up, set the domain again. An earlier identity keeps sending until the new one is active.',
      fields: identityReference.fields,
      example: {
        body: {
          domain: 'news.example.com',
          fromEmail: 'hello@news.example.com',
          mailFromLabel: 'bounces',
        },
      },
    },
  },
  // Replaces an earlier default domain once it's active.
  async ({ caller, body, log }, management) => {
    const { mailFromLabel, domain, fromEmail } = body;
    const { organizationId } = caller;
    await admitIdentityChange(organizationId, management);
    const { byDefault, beside } = await getBothIdentities(management.table, organizationId, domain);
    requireElsewhereWithout(beside, domain);
    const wanted = { domain, fromEmail, mailFromDomain: `${mailFromLabel}.${domain}` };
    const setting = { wanted, context: byDefault, action: 'identity.set', elsewhere: beside };
    return setDomain(setting, { caller, log }, management);
  },
);
