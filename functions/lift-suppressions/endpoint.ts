import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  exampleSuppression,
  momentForms,
  suppressionFields,
} from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { momentInBody } from '#shared/timing/moment';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/suppressions/lift',
  access: { key: 'required', scope: 'manage_organization' },
  body: z.strictObject({
    /** Suppressed at or after `from`, and before `until`. */
    from: momentInBody,
    until: momentInBody,
    reason: z._default(z.enum(suppressionReasons), 'bounce'),
    /** Words that stand in the diagnostic, in any case. */
    diagnostic: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(1_000))),
    /** Nothing is lifted unless it is `false`. */
    dryRun: z._default(z.boolean(), true),
    cursor: z.exactOptional(z.string()),
  }),
  answers: {
    200: {
      body: z.object({
        dryRun: z.boolean(),
        /** How many suppressions fit, of those that this request looked at. */
        matched: z.int(),
        /** How many of them it lifted. */
        lifted: z.int(),
        /** How many addresses it took from SES's own list. */
        removedFromProviderList: z.int(),
        /** The newest of those that fit. */
        examples: z.array(suppressionViewSchema),
        /** Where the next request goes on; `null` when all that fit were looked at, or lifted. */
        nextCursor: z.nullable(z.string()),
      }),
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
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    queriesIndexes: ['gsi2'],
    suppressedDestinations: ['Delete'],
  },
  words: {
    section: 'Suppressions',
    summary: 'Lift many suppressions at once',
    description: `For a mistake of your own, such as a broken DNS record, that made good addresses bounce. First look, then repeat the request with \`"dryRun": false\`.

One request looks at 500 suppressions, and works for 20 seconds: SES lets about one call a second through. As long as \`nextCursor\` is not \`null\`, repeat the request with it as \`cursor\`.`,
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
  },
});

export type LiftSuppressionsRequest = z.output<typeof endpoint.body>;
