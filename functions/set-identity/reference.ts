import { exampleIdentity, identityReference } from '#shared/identity/identity-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  ...identityReference,
  summary: 'Set the From identity of the organization',
  description:
    'Answers the DNS records to publish. SES looks for them for 72 hours. An earlier identity goes on sending until the new one is active. When SES has given up, set the domain again.',
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
  errors: ['domain_taken', 'concurrent_change', 'identity_rejected'],
} as const satisfies EndpointReference;
