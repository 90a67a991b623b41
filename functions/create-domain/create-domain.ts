import * as z from 'zod/mini';
import { addressField } from '#shared/contacts/address-field';
import { domainField, mailFromLabelField } from '#shared/domains/domain-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainAnswer, domainReference } from '#shared/identity/identity-reference';
import { changeErrors, changesDomains, domainChanges } from '#shared/identity/identity-upkeep';
import { createDomain } from '#shared/identity/set-domain';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/domains',
    access: { key: 'required', scope: 'manage_organization' },
    body: z
      .strictObject({
        domain: domainField,
        fromEmail: z.exactOptional(addressField),
        mailFromLabel: z._default(mailFromLabelField, 'bounces'),
      })
      .check(
        z.refine(
          ({ domain, fromEmail }) => fromEmail === undefined || fromEmail.endsWith(`@${domain}`),
          { path: ['fromEmail'], error: 'must be an address of the domain' },
        ),
      ),
    answers: { 201: domainAnswer },
    errors: ['too_many_domains', 'domain_exists', ...changeErrors],
    isLimited: true,
    uses: changesDomains,
    lambda: { stack: 'Domains', tableActions: domainChanges },
    words: {
      section: 'Organization',
      summary: 'Add a domain to send from',
      description:
        'Returns the DNS records to publish. Once the domain is active, sends can name any From address of it. The first domain becomes the default; adding others doesn’t change that. Safe to repeat with the same values.',
      fields: domainReference.fields,
      example: {
        body: {
          domain: 'billing.example.com',
          fromEmail: 'hello@billing.example.com',
          mailFromLabel: 'bounces',
        },
      },
    },
  },
  createDomain,
);
