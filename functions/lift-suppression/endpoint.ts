import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { providerListOutcomes } from '#shared/suppressions/lift-from-contact';
import { liftsSuppressions } from '#shared/suppressions/suppression-rights';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/suppressions/{email}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ email: z.string() }),
  query: z.strictObject({
    reason: z.optional(z.enum(suppressionReasons)),
  }),
  answers: {
    200: {
      body: z.object({
        lifted: z.array(z.enum(suppressionReasons)),
        remaining: z.array(z.enum(suppressionReasons)),
        providerList: z.enum(providerListOutcomes),
      }),
      description: 'The suppression is lifted.',
      example: { lifted: ['bounce'], remaining: [], providerList: 'removed' },
    },
  },
  errors: ['suppression_not_found', 'concurrent_change', 'provider_throttled'],
  isLimited: true,
  lambda: { stack: 'Recipients', ...liftsSuppressions },
  words: {
    section: 'Suppressions',
    summary: 'Lift the suppression of an address',
    description: `Without \`reason\` it lifts every reason but \`unsubscribe\`, which is the person’s own decision.

SES keeps its own list and drops email to the addresses on it. The address leaves that list first. SES allows about one such call a second: after 429 wait for \`Retry-After\`, then repeat.`,
    fields: {
      email: 'The address, URL-encoded.',
      reason: 'The only reason to lift.',
      lifted: 'The reasons that were lifted.',
      remaining: 'Why the address still gets no email. Empty if it does.',
      providerList:
        '`removed`: it was on SES’s own list. `not_listed`: it wasn’t. `untouched`: SES wasn’t asked, because no bounce or complaint of your own emails was lifted, or another one remains.',
    },
    example: { path: { email: 'bob@example.com' }, query: { reason: 'bounce' } },
  },
});
