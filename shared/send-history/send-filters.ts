import * as z from 'zod/mini';
import { maxSubjectLength, oneEmailAddress, tagFilter } from '#shared/sending/request/send-fields';
import { sendStatuses } from '#shared/sending/send';
import { momentForms } from '#shared/suppressions/suppression-reference';
import { momentInQuery } from '#shared/timing/moment';
import { apiKeyIdSchema, templateIdSchema } from '#shared/tokens/resource-id';
import { outcomes } from './outcome.ts';
import { tagIn, tagPrefix } from './send-search.ts';

/** Other services use one word for what we split into status and outcome. */
const statusError = ({ input }: { readonly input?: unknown }): string | undefined =>
  outcomes.some((outcome) => outcome === input)
    ? `must be ${sendStatuses.join(', ')}: what became of a sent email is its \`outcome\`, as in ?outcome=${input}`
    : undefined;

const isOutcome = (text: string): boolean => outcomes.some((one) => one === text);

const outcomeFilter = z.pipe(
  z.string().check(
    z.refine((text) => text.split(',').every(isOutcome), {
      error: `must be one of ${outcomes.join(', ')}, or several separated by commas`,
    }),
  ),
  z.transform((text) => outcomes.filter((one) => text.split(',').includes(one))),
);

const searchText = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(maxSubjectLength),
  z.refine((text) => !text.startsWith(tagPrefix) || tagIn(text) !== undefined, {
    error: 'must be a tag as tag:name:value, such as tag:kind:reset',
  }),
);

/** Which sends a list or an export is about. */
export const sendFilters = {
  to: z.optional(oneEmailAddress),
  from: z.optional(momentInQuery),
  until: z.optional(momentInQuery),
  status: z.optional(z.enum(sendStatuses, { error: statusError })),
  outcome: z.optional(outcomeFilter),
  template: z.optional(templateIdSchema),
  key: z.optional(apiKeyIdSchema),
  test: z.optional(z.enum(['true', 'false'])),
  tag: z.optional(tagFilter),
  search: z.optional(searchText),
};

export const sendFilterWords = {
  to: 'Only sends with this address in `to`, `cc` or `bcc`, ignoring case.',
  from: `Created, or with a listed outcome that began, at or after this moment: ${momentForms}`,
  until: 'Before this moment, in the same formats.',
  status: 'The current status.',
  outcome: `What became of it: ${outcomes.map((one) => `\`${one}\``).join(', ')}. Exactly this, so \`delivered\` leaves out what was opened since. Separate several with commas: \`bounced,soft_bounced\`.`,
  template: 'The ID of a template.',
  key: 'The ID of the API key that made the last attempt.',
  test: '`true` lists the test emails instead, as a test key’s requests always do. No other list has them.',
  tag: 'A tag as `name:value`, such as `kind:reset`.',
  search:
    'An ID as in the logs finds its send, even a test: `snd_…`, `fbk_…`, or SES’s message ID, bare or as in the header `Message-ID`. An idempotency key finds its send, a whole address the sends that have it in `to`, `cc` or `bcc`. `tag:name:value` is a tag. Of any other text, each word is searched for in addresses, the subject and tags, ignoring case: `ann reset` finds the reset that went to `ann@example.com`.',
} as const;
