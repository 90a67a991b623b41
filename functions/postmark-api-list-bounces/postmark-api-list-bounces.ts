import * as z from 'zod/mini';
import { defineEndpoint, type RequestTo, type Service } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import {
  bounceSchema,
  bounceTypes,
  bounceWords,
  exampleBounce,
  outcomesOfType,
  toBounce,
} from '#shared/postmark/bounces';
import { tagName } from '#shared/postmark/email-request';
import { listingScopes } from '#shared/send-history/admit-timeline-reader';
import { readOutcomeCauses } from '#shared/send-history/outcome-cause';
import { isSelected, readSends } from '#shared/send-history/send-list-store';
import { getSend } from '#shared/send-history/timeline-store';
import { type Addressed, addressesIn, isTestSend, type Send } from '#shared/sending/send';
import { momentForms } from '#shared/suppressions/suppression-reference';
import { maxExamined } from '#shared/table/list-search';
import { momentInQuery } from '#shared/timing/moment';
import { exampleIds } from '#shared/tokens/example-values';
import { feedbackIdOf, organizationIdOf, sendIdSchema } from '#shared/tokens/resource-id';

const wholeNumber = (least: number) =>
  z.optional(z.coerce.number<number | string>().check(z.int(), z.gte(least), z.lte(maxExamined)));

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

const declaration = defineEndpoint({
  errorForm: 'postmark',
  route: 'GET /postmark/bounces',
  access: {
    key: 'required',
    scope: listingScopes,
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
    description: `The emails whose outcome is a bounce or a complaint, newest first, one entry each. \`offset\` and \`count\` have at most ${maxExamined} together: for earlier ones, give \`todate\`.`,
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

export const endpoint = defineEndpoint(declaration, listBounces);

const defaultCount = 100;

async function listBounces(
  { caller, query }: Pick<RequestTo<typeof declaration>, 'caller' | 'query'>,
  { table, now: readClock }: Pick<Service, 'table' | 'now'>,
) {
  const { count = defaultCount, offset = 0, type, emailFilter, tag, messageID } = query;
  const last = offset + count;
  if (last > maxExamined) {
    throw invalidField('offset', `and count must be at most ${maxExamined} together: give todate`);
  }
  const { organizationId } = caller;
  const now = readClock();
  const text = emailFilter?.toLowerCase();
  const selection = {
    isTest: caller.apiKey.test === true,
    outcomes: outcomesOfType(type),
    since: query.fromdate ?? query.fromDate,
    until: query.todate ?? query.toDate,
    limit: last,
    before: undefined,
    ...(tag !== undefined && { tag: [tagName, tag] as const }),
    ...(text !== undefined && {
      holds: (send: Addressed) => addressesIn(send).some((one) => one.toLowerCase().includes(text)),
    }),
  };

  async function findOne(given: string): Promise<readonly Send[]> {
    const id = sendIdSchema.safeParse(given).data;
    if (id === undefined || organizationIdOf(id) !== organizationId) return [];
    const send = await getSend(table, feedbackIdOf(id), now);
    if (send?.id !== id || isTestSend(send) !== selection.isTest) return [];
    return isSelected(send, selection, now) ? [send] : [];
  }

  const { found, next } =
    messageID === undefined
      ? await readSends(table, organizationId, selection, readClock)
      : { found: await findOne(messageID), next: undefined };
  const page = found.slice(offset, last);
  const causeOf = await readOutcomeCauses(table, page, now);
  return {
    TotalCount: found.length + (next === undefined ? 0 : 1),
    Bounces: page.flatMap((send) => toBounce(send, causeOf(send.id) ?? {}, now)),
  };
}
