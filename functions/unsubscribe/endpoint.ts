import * as z from 'zod/mini';
import { contactEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';
import { maxRequestsPerHour } from '#shared/preferences/limit-strangers';
import { bareAddressPartitions, contactPartitions, ratePartitions } from '#shared/table/keys';

export const endpoint = defineEndpoint({
  route: 'POST /api/unsubscribe',
  access: { key: 'optional' },
  query: z.object({
    token: z.optional(z.string()),
    everything: z.optional(z.literal('true')),
  }),
  body: z.object({
    token: z.optional(z.string()),
    email: z.optional(z.string()),
    organizationId: z.optional(z.string()),
  }),
  accepts: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  isBodyOptional: true,
  answers: {
    200: {
      body: z.union([
        z.object({ status: z.literal('unsubscribed'), categoryKey: z.optional(z.string()) }),
        htmlPage,
      ]),
      description: 'The address is unsubscribed.',
      example: { status: 'unsubscribed' },
    },
  },
  errors: [
    'malformed_body',
    'too_large',
    'validation_failed',
    'contact_not_found',
    'concurrent_change',
    'rate_limited',
    'contact_limit_reached',
  ],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    reservation: 'links',
    environment: contactEnvironment,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    writesOnlyIn: {
      PutItem: [contactPartitions],
      UpdateItem: [contactPartitions, bareAddressPartitions, ratePartitions],
    },
    queriesIndexes: ['gsi1'],
    wakesWebhookQueue: true,
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Preferences',
    summary: 'Unsubscribe an address from bulk email',
    description: `Ends bulk email to the recipient whose email contained the token. Mail clients do this with one click (RFC 8058). If the policy of that email has a category, only the category is left, unless the request asks for \`everything\`.

A program may name the address instead. It is then unsubscribed in the key’s organization; without a key in \`organizationId\`; without either in every organization that knows the address. Without a key the answer is the same whether or not the address is known, and an address works at most ${maxRequestsPerHour} times an hour.`,
    fields: {
      organizationId: 'The organization to unsubscribe from.',
      everything: 'Ends all bulk email, even if the token names a category.',
      categoryKey: 'The category that was left. Absent if all bulk email has ended.',
      status: 'The same if the address was unsubscribed before, or the sender has been deleted.',
    },
    example: { query: {}, body: { email: 'ann@example.com' } },
  },
});
