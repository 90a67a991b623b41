import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { bounceSchema, bounceTypes, bounceWords, exampleBounce } from '#shared/postmark/bounces';
import { momentForms } from '#shared/suppressions/suppression-reference';
import { mostExamined } from '#shared/table/list-search';
import { momentInQuery } from '#shared/timing/moment';
import { exampleIds } from '#shared/tokens/example-values';

const wholeNumber = (least: number) =>
  z.optional(z.coerce.number<number | string>().check(z.int(), z.gte(least), z.lte(mostExamined)));

const isDay = /^\d{4}-\d{2}-\d{2}$/;

/** Postmark includes the day that `todate` names. */
const momentOrEndOfDay = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => (isDay.test(text) ? `${text}T24:00Z` : text)),
  ),
  momentInQuery,
);

// Clients spell the parameters either way: `fromdate` or `fromDate`.
const from = z.optional(momentInQuery);
const to = z.optional(momentOrEndOfDay);

export const endpoint = defineEndpoint({
  errorForm: 'postmark',
  route: 'GET /postmark/bounces',
  access: {
    key: 'required',
    scope: ['read_sends', 'manage_organization'],
    takesTestKeys: true,
  },
  query: z.strictObject({
    count: wholeNumber(1),
    offset: wholeNumber(0),
    type: z.optional(z.enum(bounceTypes)),
    emailFilter: z.optional(z.string().check(z.minLength(1), z.maxLength(320))),
    tag: z.optional(z.string()),
    messageID: z.optional(z.string()),
    fromdate: from,
    fromDate: from,
    todate: to,
    toDate: to,
  }),
  answers: {
    200: {
      body: z.object({ TotalCount: z.int(), Bounces: z.array(bounceSchema) }),
      description: 'A page of bounces.',
      example: { TotalCount: 1, Bounces: [exampleBounce] },
    },
  },
  lambda: {
    stack: 'Postmark',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Postmark',
    summary: 'List bounces, as with Postmark',
    description: `The emails whose outcome is a bounce or a complaint, newest first, one entry each. \`offset\` and \`count\` have at most ${mostExamined} together: for earlier ones, give \`todate\`.`,
    fields: {
      ...bounceWords,
      count: 'How many. Default: 100.',
      offset: 'How many to leave out first. Default: 0.',
      type: 'Only those of this type.',
      emailFilter: 'Only emails with this text in an address of a recipient.',
      tag: 'Only emails with this tag.',
      messageID: 'Only the one of this email.',
      fromdate: `Only bounces at or after this moment: ${momentForms}`,
      fromDate: 'The same.',
      todate: 'Only bounces before this moment, or up to the end of this day.',
      toDate: 'The same.',
    },
    example: { query: { count: '10', messageID: exampleIds.send } },
  },
});
