import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { listingScopes } from '#shared/send-history/admit-timeline-reader';
import { listedSendSchema, listSends, withCauses } from '#shared/send-history/list-sends';
import { listedOutcomes } from '#shared/send-history/listed-outcomes';
import { sendFilters, sendFilterWords } from '#shared/send-history/send-filters';
import { mostSearched } from '#shared/send-history/send-list-store';
import { exampleDelivered } from '#shared/send-history/verdict';
import { exampleSend, sendFields } from '#shared/sending/send-reference';
import { maxRead } from '#shared/table/entry-search';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { exampleIds } from '#shared/tokens/example-values';

const listedOnes = listedOutcomes.map((one) => `\`${one}\``).join(', ');

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/sends',
    access: {
      key: 'required',
      scope: listingScopes,
      takesTestKeys: true,
    },
    query: z.strictObject({ ...pageQueryFields, ...sendFilters }),
    answers: {
      200: {
        body: z.extend(pageSchema(listedSendSchema), {
          lookedUntil: z.nullable(z.int()),
          looked: z.int(),
        }),
        description: 'A page of sends.',
        example: {
          data: [{ ...exampleSend, apiKeyId: exampleIds.apiKey, verdict: exampleDelivered }],
          nextCursor: null,
          lookedUntil: null,
          looked: 1,
        },
      },
    },
    lambda: {
      stack: 'Recipients',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi1', 'gsi2', 'gsi3', 'gsi4'],
    },
    words: {
      section: 'Sends',
      summary: 'List sends',
      description: `The sends of the organization, newest first. A send of the last few seconds may be missing.

With only ${listedOnes} in \`outcome\`, \`from\`, \`until\`, \`lookedUntil\` and the order are about the time of the outcome, \`outcomeAt\`: today’s bounces are those that came back today, whenever the emails were sent. With any other outcome, or none, they’re about the time of creation. With \`to\`, the order is always by creation.

\`to\`, \`from\`, \`until\` and these outcomes use an index. Words, \`template\`, \`key\` and \`tag\` are searched for in the list’s index, up to ${mostSearched.toLocaleString('en-US')} emails a request; for \`status\` and other outcomes, and for filters combined with \`to\` or these outcomes, one request reads at most ${maxRead} sends. So a page can have fewer entries than \`limit\`, or none, and still have a \`nextCursor\`: \`lookedUntil\` and \`looked\` say how far it got.

An email is in \`failed\` once that is recorded. If the service’s process died before SES answered, nothing records it: \`status=failed\` finds it.`,
      fields: {
        ...sendFields('data'),
        ...sendFilterWords,
        lookedUntil:
          'Every match after this moment is in this page or an earlier one. `null` on the last page.',
        looked: 'How many emails this page has looked at.',
        'data.test': 'It was made with a test key. Absent: it wasn’t.',
        apiKeyId: 'The API key that made the last attempt.',
        cause: 'Why it bounced, was complained about or is delayed, if that’s its outcome.',
        'cause.reason': 'In SES’s words, such as `Permanent/General`.',
        'cause.email': 'The recipient whose server said so.',
        'cause.diagnostic': 'What the server said.',
      },
      example: { query: { to: 'ann@example.com', status: 'sent', limit: '1' } },
    },
  },
  async (request, { table, now }) => {
    const { sends, ...page } = await listSends(request, { table, now });
    return { data: await withCauses(table, sends, now()), ...page };
  },
);
