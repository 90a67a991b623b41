import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import {
  exampleSuppression,
  momentForms,
  suppressionFields,
} from '#shared/suppressions/suppression-reference';

export const reference = {
  section: 'Suppressions',
  summary: 'Lift many suppressions at once',
  description: `For a mistake of your own, such as a broken DNS record, that made good addresses bounce. First look, then repeat the request with \`"dryRun": false\`.

One request looks at 500 suppressions, and works for 20 seconds: SES lets about one call a second through. As long as \`nextCursor\` is not \`null\`, repeat the request with it as \`cursor\`.`,
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    ...suppressionFields('examples'),
    from: `Suppressed then or later: ${momentForms}`,
    until: 'Suppressed earlier, in the same forms.',
    reason: 'The reason that is lifted.',
    diagnostic: 'Words that stand in the diagnostic, in any case.',
    dryRun: 'Nothing is lifted unless it is `false`.',
    matched: 'How many suppressions fit, of those that this request looked at.',
    lifted: 'How many of them it lifted.',
    removedFromProviderList: 'How many addresses it took from SES’s own list.',
    examples: 'The newest of those that fit, 20 at most.',
  },
  example: {
    body: {
      from: '2026-11-20T08:00:00Z',
      until: '2026-11-20T12:00:00Z',
      diagnostic: 'not authenticated',
      dryRun: false,
    },
  },
  answers: {
    200: {
      description: 'What fits, and what of it was lifted.',
      example: {
        dryRun: false,
        matched: 1,
        lifted: 1,
        removedFromProviderList: 1,
        examples: [{ ...exampleSuppression, diagnostic: 'smtp; 550 5.7.26 not authenticated' }],
        nextCursor: null,
      },
    },
  },
  errors: ['provider_throttled'],
} as const satisfies EndpointReference;
