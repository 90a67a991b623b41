import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { providerListOutcomes } from '#shared/suppressions/lift-suppressions';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/suppressions/{email}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ email: z.string() }),
  query: z.strictObject({
    /** Absent: every reason but `unsubscribe`, which is the person's own will. */
    reason: z.optional(z.enum(suppressionReasons)),
  }),
  answers: {
    200: {
      body: z.object({
        lifted: z.array(z.enum(suppressionReasons)),
        /** Why the address still gets no email. */
        remaining: z.array(z.enum(suppressionReasons)),
        /** What became of the address on SES's own list. */
        providerList: z.enum(providerListOutcomes),
      }),
      description: 'The suppression is lifted.',
      example: { lifted: ['bounce'], remaining: [], providerList: 'removed' },
    },
  },
  errors: ['suppression_not_found', 'concurrent_change', 'provider_throttled'],
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    suppressedDestinations: ['Delete'],
  },
  words: {
    section: 'Suppressions',
    summary: 'Lift the suppression of an address',
    description: `Without \`reason\` every reason is lifted but \`unsubscribe\`, which is the person’s own will.

SES has a list of its own, by which it drops emails to addresses that bounced or complained. The address is taken off that list first. SES lets about one such call a second through: after 429 wait for \`Retry-After\`, and repeat.`,
    fields: {
      email: 'The address, URL-encoded.',
      reason: 'The only reason that is lifted.',
      lifted: 'The reasons that were lifted.',
      remaining: 'Why the address still gets no email. Empty: it does.',
      providerList:
        '`removed`: it was on SES’s own list. `not_listed`: it was not. `untouched`: SES was not asked, as no bounce or complaint of your own emails was lifted, or another one remains.',
    },
    example: { path: { email: 'bob@example.com' }, query: { reason: 'bounce' } },
  },
});

export type LiftSuppressionQuery = z.output<typeof endpoint.query>;
