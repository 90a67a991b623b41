import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { oneEmailAddress, tagFilter } from '#shared/sending/request/send-fields';
import { maxSubjectLength } from '#shared/sending/request/send-request';
import { sendStatuses } from '#shared/sending/send';
import { exampleSend, sendFields } from '#shared/sending/send-reference';
import { listedOutcomes } from '#shared/sends/listed-outcomes';
import { outcomes } from '#shared/sends/outcome';
import { outcomeCauseSchema } from '#shared/sends/outcome-cause';
import { tagIn, tagPrefix } from '#shared/sends/send-search';
import { sendViewSchema } from '#shared/sends/send-view';
import { momentForms } from '#shared/suppressions/suppression-reference';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { mostExamined } from '#shared/table/list-search';
import { momentInQuery } from '#shared/timing/moment';
import { exampleIds } from '#shared/tokens/example-values';
import { apiKeyIdSchema, templateIdSchema } from '#shared/tokens/resource-id';

/** Other services use one word for what we split into status and outcome. */
const statusError = ({ input }: { readonly input?: unknown }): string | undefined =>
  outcomes.some((outcome) => outcome === input)
    ? `must be ${sendStatuses.join(', ')}: what became of a sent email is its \`outcome\`, as in ?outcome=${input}`
    : undefined;

const isOutcome = (text: string): boolean => outcomes.some((one) => one === text);

const outcomeFilter = z.pipe(
  z.string().check(
    z.refine((text) => text.split(',').every(isOutcome), {
      error: `must be one of ${outcomes.join(', ')}, or several with commas between`,
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

const rareOnes = listedOutcomes.map((one) => `\`${one}\``).join(', ');

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/sends',
  access: {
    key: 'required',
    scope: ['read_sends', 'manage_organization'],
    takesTestKeys: true,
  },
  query: z.strictObject({
    ...pageQueryFields,
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
  }),
  answers: {
    200: {
      body: z.extend(
        pageSchema(
          z.extend(sendViewSchema, {
            apiKeyId: z.optional(apiKeyIdSchema),
            cause: z.optional(outcomeCauseSchema),
          }),
        ),
        {
          lookedUntil: z.nullable(z.int()),
        },
      ),
      description: 'A page of sends.',
      example: {
        data: [{ ...exampleSend, apiKeyId: exampleIds.apiKey }],
        nextCursor: null,
        lookedUntil: null,
      },
    },
  },
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi1', 'gsi2', 'gsi3'],
  },
  words: {
    section: 'Sends',
    summary: 'List sends',
    description: `The sends of the organization, newest first. A send of the last few seconds may be missing.

With only ${rareOnes} in \`outcome\`, \`from\`, \`until\`, \`lookedUntil\` and the order are about the time of the outcome, \`outcomeAt\`: today’s bounces are those that came back today, whenever the emails were sent. With any other outcome among them, or none, they’re about the time of creation. With \`to\`, the order is by creation in any case.

\`to\`, \`from\` and \`until\` use an index, and so do ${rareOnes}. For other outcomes and for \`status\`, \`template\`, \`key\`, \`tag\` and parts of texts one request searches at most ${mostExamined} sends: its page may have fewer entries than \`limit\`, or none, and still a \`nextCursor\`.`,
    fields: {
      ...sendFields('data'),
      to: 'Only sends with this address in `to`, `cc` or `bcc`, ignoring case.',
      from: `Created, or with a rare outcome, at or after this moment: ${momentForms}`,
      until: 'Before this moment, in the same formats.',
      status: 'The current status.',
      outcome: `What became of it: ${outcomes.map((one) => `\`${one}\``).join(', ')}. Exactly this, so \`delivered\` leaves out what was opened since. Several with commas between: \`bounced,soft_bounced\`. Sends from before 2026-11-23 count by their status alone.`,
      template: 'The ID of a template.',
      key: 'The ID of the API key that made the last attempt.',
      test: '`true` lists the test emails instead, as a test key’s requests always do. They are in no other list.',
      tag: 'A tag as `name:value`, such as `kind:reset`.',
      search:
        'An ID as logs have it finds its one send, also a test: `snd_…`, `fbk_…`, or SES’s message ID, bare or as in the header `Message-ID`. An idempotency key finds its send first. `tag:name:value` is a tag. Any other text is looked for in addresses and subjects, ignoring case.',
      lookedUntil:
        'Every match after this moment is in this page or an earlier one. `null` on the last page.',
      'data.test': 'It was made with a test key. Absent: it wasn’t.',
      apiKeyId: 'The API key that made the last attempt.',
      cause: 'Why it bounced, was complained about or is delayed, if that’s its outcome.',
      'cause.reason': 'In SES’s words, such as `Permanent/General`.',
      'cause.email': 'The recipient whose server said so.',
      'cause.diagnostic': 'What the server said.',
    },
    example: { query: { to: 'ann@example.com', status: 'sent', limit: '1' } },
  },
});
