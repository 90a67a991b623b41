import { exampleIdentity, identityReference } from '#shared/identity/identity-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  ...identityReference,
  summary: 'Set the From identity of the organization',
  description:
    'Answers the DNS records to publish. The TXT record says that the domain is for this organization: others may set it too, and get another value. SES looks for the DKIM records for 72 hours. An earlier identity goes on sending until the new one is active. When SES has given up, set the domain again.',
  example: {
    body: {
      domain: 'news.example.com',
      fromEmail: 'hello@news.example.com',
      mailFromLabel: 'bounces',
    },
  },
  answers: {
    200: { description: 'The identity, and how DNS has its records.', example: exampleIdentity },
  },
  errors: [
    'rate_limited',
    'domain_taken',
    'concurrent_change',
    'identity_rejected',
    'provider_throttled',
  ],
} as const satisfies EndpointReference;
