import * as z from 'zod/mini';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import {
  requireOneDirection,
  resendList,
  resendListSchema,
  resendPageFields,
  unknownEntry,
} from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressions,
  findSuppressions,
  listedSuppressionSchema,
  origins,
  positionOf,
  suppressionWords,
  toListedSuppression,
} from '#shared/resend/suppressions';
import {
  findNewerSuppressionEntries,
  getSuppressions,
  readSuppressions,
  type SuppressionPosition,
} from '#shared/suppressions/suppression-list-store';
import type { Table } from '#shared/table/table-client';

const declaration = defineEndpoint({
  ...managementDeclaration,
  route: 'GET /resend/suppressions',
  query: z.strictObject({ ...resendPageFields, origin: z.optional(z.enum(origins)) }),
  answers: {
    200: {
      body: resendListSchema(listedSuppressionSchema),
      description: 'A page of suppressions.',
      example: exampleSuppressions,
    },
  },
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Resend',
    summary: 'List suppressions, as with Resend',
    description:
      'Newest first, 20 unless `limit` says otherwise. An address suppressed for two reasons has two. People who unsubscribed aren’t included.',
    fields: { ...suppressionWords, origin: 'Only those of this origin.' },
    example: { query: { origin: 'bounce', limit: '20' } },
  },
});

export const endpoint = defineEndpoint(declaration, listResendSuppressions);

const defaultLimit = 20;

/** Only those that Resend would have, newest first. */
async function listResendSuppressions(
  { caller: { organizationId }, query }: Pick<RequestTo<typeof declaration>, 'caller' | 'query'>,
  { table }: { readonly table: Table },
) {
  const { limit = defaultLimit, after, before, origin } = query;
  requireOneDirection(query);
  const reason = origin === undefined ? origins : [origin];

  async function placeOf(
    parameter: 'after' | 'before',
    text: string,
  ): Promise<SuppressionPosition> {
    const found = await findSuppressions(table, text, organizationId);
    if (found === undefined) throw unknownEntry(parameter);
    return positionOf(found.named[0]);
  }

  if (before === undefined) {
    const start = after === undefined ? undefined : await placeOf('after', after);
    const page = { limit, before: start, reason, since: undefined, until: undefined };
    const { found, next } = await readSuppressions(table, organizationId, page);
    return resendList(found.map(toListedSuppression), next !== undefined);
  }
  const range = { after: await placeOf('before', before), limit: limit + 1 };
  const entries = await findNewerSuppressionEntries(table, organizationId, reason, range);
  const found = await getSuppressions(table, entries.slice(-limit));
  const present = found.filter((one) => one !== undefined);
  return resendList(present.map(toListedSuppression), entries.length > limit);
}
