import * as z from 'zod/mini';
import { allowsKeySignIn, knowsIssuerName } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';

export const endpoint = defineEndpoint(
  {
    route: 'GET /console/sign-in/options',
    access: 'anybody',
    answers: {
      200: {
        body: z.object({
          ways: z.object({ keys: z.boolean(), issuer: z.optional(z.object({ name: z.string() })) }),
        }),
        description: 'The ways.',
        example: { ways: { keys: true, issuer: { name: 'Example ID' } } },
      },
    },
    uses: { keySignIn: allowsKeySignIn, issuerName: knowsIssuerName },
    lambda: { stack: 'Console', tableActions: [] },
    words: {
      section: 'Console',
      summary: 'List the ways to sign in',
      description: 'For the console’s sign-in page. It’s the same for everybody.',
      fields: {
        ways: 'Besides a link by email and passkeys.',
        keys: 'Whether API keys, and links made with them, sign in.',
        issuer: 'The deployment’s identity provider. Absent if it has none.',
        name: 'The name of the identity provider, for people.',
      },
    },
  },
  async (_, { keySignIn, issuerName }) => ({
    ways: { keys: keySignIn, ...(issuerName !== undefined && { issuer: { name: issuerName } }) },
  }),
);
