import * as z from 'zod/mini';
import { workBudgetMs } from '#shared/config/attempt-time';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  exampleSuppression,
  momentForms,
  suppressionFields,
} from '#shared/suppressions/suppression-reference';
import { liftsSuppressions } from '#shared/suppressions/suppression-rights';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { mostExamined } from '#shared/table/list-search';
import { momentInBody } from '#shared/timing/moment';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/suppressions/lift',
  access: { key: 'required', scope: 'manage_organization' },
  body: z.strictObject({
    from: momentInBody,
    until: momentInBody,
    reason: z._default(z.enum(suppressionReasons), 'bounce'),
    diagnostic: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(1_000))),
    dryRun: z._default(z.boolean(), true),
    cursor: z.exactOptional(z.string()),
  }),
  answers: {
    200: {
      body: z.object({
        dryRun: z.boolean(),
        matched: z.int(),
        lifted: z.int(),
        removedFromProviderList: z.int(),
        examples: z.array(suppressionViewSchema),
        nextCursor: z.nullable(z.string()),
      }),
      description: 'What matches, and how much of it was lifted.',
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
  isLimited: true,
  lambda: { stack: 'Recipients', ...liftsSuppressions, queriesIndexes: ['gsi2'] },
  words: {
    section: 'Suppressions',
    summary: 'Lift many suppressions at once',
    description: `For mistakes of yours, such as a broken DNS record, that made good addresses bounce. Look first, then repeat the request with \`"dryRun": false\`.

One request looks at ${mostExamined} suppressions and works for ${workBudgetMs / 1_000} seconds: SES allows about one call a second. Until \`nextCursor\` is \`null\`, repeat the request with it as \`cursor\`.`,
    fields: {
      ...suppressionFields('examples'),
      from: `Suppressed at this time or later: ${momentForms}`,
      until: 'Suppressed before this time, in the same forms.',
      reason: 'The reason to lift.',
      diagnostic: 'Words that the diagnostic contains, in any case.',
      dryRun: 'Lifts only if this is `false`.',
      matched: 'How many suppressions match, among those that this request looked at.',
      lifted: 'How many it lifted.',
      removedFromProviderList: 'How many addresses it took off SES’s own list.',
      examples: 'The newest matches, at most 20.',
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
