import * as z from 'zod/mini';
import { bareAddress } from '#shared/contacts/address-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/contacts/{email}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ email: bareAddress }),
  query: z.strictObject({
    sends: z.optional(z.enum(['true', 'false'])),
  }),
  answers: { 204: { description: 'The person is erased.' } },
  errors: ['erasure_unfinished'],
  lambda: {
    stack: 'Account',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'Query', 'UpdateItem'],
    queriesIndexes: ['gsi3'],
    suppressedDestinations: ['Delete'],
    contents: { waiting: ['Delete'], kept: ['Delete'] },
  },
  words: {
    section: 'Recipients',
    summary: 'Erase a contact',
    description: `Cancels emails to the address that are scheduled or queued. Removes the address from the contact, from the sends to it, and from their events and webhook deliveries. The kept contents of these sends are deleted. Suppressions stay, under a digest of the address: a person who unsubscribed stays unsubscribed. Sends that have the address only as a further \`to\`, in \`cc\` or in \`bcc\` are not found; one that still waits to go out leaves the person out. An unknown address can be erased too. If an email of yours put the address on SES’s own suppression list, it is taken off.

Repeating the request is always safe. After a 409 wait for \`Retry-After\`, then repeat it.`,
    fields: {
      email: 'The address. URL-encode it in the path.',
      sends:
        '`true`: also forget the sends to the address, with their timelines and idempotency keys. Otherwise they are only anonymised.',
    },
    example: { path: { email: 'ann@example.com' }, query: { sends: 'false' } },
  },
});
