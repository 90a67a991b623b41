import * as z from 'zod/mini';
import { bucketEnvironment, tenantsEnvironment } from '#shared/config/environment';
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
  errors: ['erasure_unfinished', 'contact_limit_reached'],
  lambda: {
    stack: 'Account',
    environment: z.extend(tenantsEnvironment, bucketEnvironment.shape),
    tableActions: [
      'GetItem',
      'BatchGetItem',
      'Query',
      'ConditionCheckItem',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
    ],
    queriesIndexes: ['gsi3'],
    suppressedDestinations: ['Delete'],
    contents: { waiting: ['Get', 'Put', 'Delete'], kept: ['Delete'] },
  },
  words: {
    section: 'Recipients',
    summary: 'Erase a contact',
    description: `Removes the address from the contact, from every send that has it in \`to\`, \`cc\` or \`bcc\`, and from their events and webhook deliveries. The kept contents of these sends are deleted; their other recipients stay. Their subject and options, such as metadata and own headers, stay, with the address replaced by \`erased\`: what else they say of the person is forgotten only with \`?sends=true\`. Emails that are scheduled or queued are canceled if the address is their first \`to\`, which \`email.canceled\` tells without the address; else they go out to the others. Suppressions stay, under a digest of the address: a person who unsubscribed stays unsubscribed. An unknown address can be erased too, and counts like an imported one. If an email of yours put the address on SES’s own suppression list, it is taken off.

Repeating the request is always safe. After a 409 wait for \`Retry-After\`, then repeat it.`,
    fields: {
      email: 'The address. URL-encode it in the path.',
      sends:
        '`true`: also forget the sends whose first `to` is the address, with their timelines and idempotency keys. All others are only anonymised.',
    },
    example: { path: { email: 'ann@example.com' }, query: { sends: 'false' } },
  },
});
