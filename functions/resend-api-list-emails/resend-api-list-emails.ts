import * as z from 'zod/mini';
import { defineEndpoint, type RequestTo, type Service } from '#shared/endpoints/endpoint';
import {
  emailViewWords,
  exampleListedEmail,
  listedEmailSchema,
  toListedEmail,
} from '#shared/resend/email-view';
import {
  requireOneDirection,
  resendList,
  resendListSchema,
  resendPageFields,
  unknownEntry,
} from '#shared/resend/list-page';
import { listingScopes } from '#shared/send-history/admit-timeline-reader';
import {
  findNewerSends,
  getListedSends,
  listedAt,
  readSends,
  type SendPosition,
  sendPositionSchema,
} from '#shared/send-history/send-list-store';
import { getSend } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import { feedbackIdOf, organizationIdOf, sendIdSchema } from '#shared/tokens/resource-id';

const declaration = defineEndpoint({
  errorForm: 'resend',
  route: 'GET /resend/emails',
  access: {
    key: 'required',
    scope: listingScopes,
    takesTestKeys: true,
  },
  query: z.strictObject(resendPageFields),
  answers: {
    200: {
      body: resendListSchema(listedEmailSchema),
      description: 'A page of emails.',
      example: resendList([exampleListedEmail], false),
    },
  },
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Resend',
    summary: 'List emails, as with Resend',
    description:
      'The emails of the organization, newest first, 20 unless `limit` says otherwise. One of the last few seconds may be missing.',
    fields: emailViewWords,
    example: { query: { limit: '10' } },
  },
});

export const endpoint = defineEndpoint(declaration, listEmails);

const defaultLimit = 20;

async function listEmails(
  { caller, query }: Pick<RequestTo<typeof declaration>, 'caller' | 'query'>,
  { table, now }: Pick<Service, 'table' | 'now'>,
) {
  const { limit = defaultLimit, after, before } = query;
  requireOneDirection(query);
  const { organizationId } = caller;
  const isTest = caller.apiKey.test === true;
  const at = now();

  async function positionOf(parameter: 'after' | 'before', text: string): Promise<SendPosition> {
    const id = sendIdSchema.safeParse(text).data;
    const isOwn = id !== undefined && organizationIdOf(id) === organizationId;
    const send = isOwn ? await getSend(table, feedbackIdOf(id), at) : undefined;
    if (send?.id !== id || (send?.test === true) !== isTest || send === undefined) {
      throw unknownEntry(parameter);
    }
    return sendPositionSchema.parse(listedAt(send));
  }

  const shown = (sends: readonly Send[]) => sends.map((send) => toListedEmail(send, at));
  if (before === undefined) {
    const start = after === undefined ? undefined : await positionOf('after', after);
    const page = { isTest, before: start, limit };
    const { found, next } = await readSends(table, organizationId, page, now);
    return resendList(shown(found), next !== undefined);
  }
  const range = { after: await positionOf('before', before), limit: limit + 1 };
  const newer = await findNewerSends(table, organizationId, range, { isTest });
  const found = await getListedSends(table, newer.slice(-limit), at);
  return resendList(shown(found.filter((send) => send !== undefined)), newer.length > limit);
}
