import * as z from 'zod/mini';
import { knowsIssuerName } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';

export const endpoint = defineEndpoint(
  {
    route: 'GET /console/sign-in/options',
    access: 'anybody',
    answers: {
      200: {
        body: z.object({
          ways: z.object({ issuer: z.optional(z.object({ name: z.string() })) }),
        }),
        description: 'The ways.',
        example: { ways: { issuer: { name: 'Example ID' } } },
      },
    },
    uses: { issuerName: knowsIssuerName },
    lambda: { stack: 'Console', tableActions: [] },
    words: {
      section: 'Console',
      summary: 'List the ways to sign in',
      description: 'For the console’s sign-in page. It’s the same for everybody.',
      fields: {
        ways: 'Besides a link by email and an API key.',
        issuer: 'The deployment’s identity provider. Absent if it has none.',
        name: 'The name of the identity provider, for people.',
      },
    },
  },
  async (_, { issuerName }) => ({
    ways: { ...(issuerName !== undefined && { issuer: { name: issuerName } }) },
  }),
);
