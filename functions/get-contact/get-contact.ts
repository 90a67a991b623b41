import * as z from 'zod/mini';
import { bareAddress } from '#shared/contacts/address-field';
import { isKnown } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { choicesOf, subscriptionSchema } from '#shared/preferences/preferences';
import { getSuppressedContact } from '#shared/suppressions/suppression-list-store';
import { exampleSuppression, suppressionFields } from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema, toSuppressionView } from '#shared/suppressions/suppression-view';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { contactIdOf, contactIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/contacts/{email}',
    access: { key: 'required', scope: ['recipients_read', 'manage_organization'] },
    path: z.object({ email: bareAddress }),
    answers: {
      200: {
        body: z.object({
          id: contactIdSchema,
          email: z.string(),
          subscriptions: z.array(subscriptionSchema),
          suppressions: z.array(suppressionViewSchema),
          createdAt: z.int(),
          updatedAt: z.int(),
        }),
        description: 'The contact.',
        example: {
          id: exampleIds.contact,
          email: 'bob@example.com',
          subscriptions: [{ categoryKey: 'newsletter', subscribed: false }],
          suppressions: [exampleSuppression],
          createdAt: exampleTime,
          updatedAt: exampleTime,
        },
      },
    },
    errors: ['validation_failed', 'contact_not_found'],
    lambda: { stack: 'Recipients', tableActions: ['GetItem', 'BatchGetItem'] },
    words: {
      section: 'Recipients',
      summary: 'Read a contact',
      description:
        'The contact with this address in the organization, its subscriptions and its suppressions. An erased contact is not found.',
      fields: {
        ...suppressionFields('suppressions'),
        id: 'The ID of the contact.',
        email: 'The address. URL-encode it in the path.',
        subscriptions: 'The choices of the person. A category that is missing is subscribed.',
        suppressions: 'Why the address gets no email. Empty if it is not suppressed.',
      },
      example: { path: { email: 'bob@example.com' } },
    },
  },
  async ({ caller, path: { email } }, { table }) => {
    const contactId = contactIdOf(caller.organizationId, email.identity);
    const { contact, suppressions } = await getSuppressedContact(table, contactId);
    if (!isKnown(contact)) throw new ServiceError('contact_not_found');
    return {
      ...contact,
      subscriptions: choicesOf(contact),
      suppressions: suppressions.map(toSuppressionView),
    };
  },
);
