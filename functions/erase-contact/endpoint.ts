import * as z from 'zod/mini';
import { bareAddress } from '#shared/contacts/address-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/contacts/{email}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ email: bareAddress }),
  query: z.strictObject({
    /** `true`: the sends to the address are not only anonymised, they expire. */
    sends: z.optional(z.enum(['true', 'false'])),
  }),
  answers: { 204: { description: 'The person is erased.' } },
  errors: ['erasure_unfinished'],
  lambda: {
    stack: 'Account',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'Query', 'UpdateItem'],
    queriesIndexes: ['gsi3'],
    suppressedDestinations: ['Delete'],
  },
  words: {
    section: 'Recipients',
    summary: 'Erase a person',
    description: `Takes the address out of the contact, out of the sends to it and out of their events and webhook deliveries. Suppressions stay, under a digest of the address: who unsubscribed stays unsubscribed. An address that nobody knows is erased too. If an email of yours put the address on SES’s own list, it leaves that list.

Repeating is always safe. After 409 wait for \`Retry-After\`, and repeat.`,
    fields: {
      email: 'The address of the person, URL-encoded.',
      sends:
        '`true`: the sends to the address are forgotten at once, with their timelines and idempotency keys.',
    },
    example: { path: { email: 'ann@example.com' }, query: { sends: 'false' } },
  },
});
