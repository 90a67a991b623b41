import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Suppressions',
  summary: 'Lift the suppression of an address',
  description: `Without \`reason\` every reason is lifted but \`unsubscribe\`, which is the person’s own will.

SES has a list of its own, by which it drops emails to addresses that bounced or complained. The address is taken off that list first. SES lets about one such call a second through: after 429 wait for \`Retry-After\`, and repeat.`,
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    email: 'The address, URL-encoded.',
    reason: 'The only reason that is lifted.',
    lifted: 'The reasons that were lifted.',
    remaining: 'Why the address still gets no email. Empty: it does.',
    providerList:
      '`removed`: it was on SES’s own list. `not_listed`: it was not. `untouched`: SES was not asked, as no bounce or complaint of your own emails was lifted, or another one remains.',
  },
  example: { path: { email: 'bob@example.com' }, query: { reason: 'bounce' } },
  answers: {
    200: {
      description: 'The suppression is lifted.',
      example: { lifted: ['bounce'], remaining: [], providerList: 'removed' },
    },
  },
  errors: ['suppression_not_found', 'concurrent_change', 'provider_throttled'],
} as const satisfies EndpointReference;
