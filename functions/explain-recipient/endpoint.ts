import * as z from 'zod/mini';
import { bareAddress } from '#shared/contacts/address-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { eventSchema } from '#shared/events/event';
import { identityStatuses } from '#shared/identity/identity';
import { subscriptionSchema } from '#shared/preferences/preferences';
import { sendStatuses } from '#shared/sending/send';
import { exampleSuppression, suppressionFields } from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { contactIdSchema, sendIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/recipients/{email}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ email: bareAddress }),
  query: z.strictObject({
    /** How many of the latest emails. */
    limit: z._default(z.coerce.number<number | string>().check(z.int(), z.gte(1), z.lte(20)), 10),
  }),
  answers: {
    200: {
      body: z.object({
        email: z.string(),
        contactId: contactIdSchema,
        /** What keeps email from the address now, in words; empty if nothing does. */
        obstacles: z.array(z.string()),
        organization: z.object({
          paused: z.boolean(),
          /** As a tenant of SES. */
          pausedBySes: z.boolean(),
          identity: z.enum([...identityStatuses, 'none']),
        }),
        /** Whether the organization knows the address, and since when. */
        contact: z.nullable(
          z.object({ createdAt: z.int(), subscriptions: z.array(subscriptionSchema) }),
        ),
        suppressions: z.array(suppressionViewSchema),
        /** SES's own list. `not_shown`: no email of the organization put the address there. `unknown`: SES could not be asked. */
        providerList: z.object({
          state: z.enum(['listed', 'not_listed', 'not_shown', 'unknown']),
          reason: z.optional(z.enum(['bounce', 'complaint'])),
          at: z.optional(z.int()),
        }),
        /** The latest emails whose `to` is the address, newest first, and what became of each. */
        emails: z.array(
          z.object({
            sendId: sendIdSchema,
            subject: z.string(),
            status: z.enum(sendStatuses),
            outcome: z.string(),
            createdAt: z.int(),
            events: z.array(eventSchema),
          }),
        ),
      }),
      description: 'What is known.',
      example: {
        email: 'bob@example.com',
        contactId: exampleIds.contact,
        obstacles: [
          'An email to the address bounced for good, on 2026-11-21T09:00:00.000Z: the mailbox does not exist.',
        ],
        organization: { paused: false, pausedBySes: false, identity: 'active' },
        contact: { createdAt: exampleTime, subscriptions: [] },
        suppressions: [exampleSuppression],
        providerList: { state: 'not_listed' },
        emails: [
          {
            sendId: exampleIds.send,
            subject: 'Welcome',
            status: 'sent',
            outcome:
              'It bounced for good: the mailbox does not exist. The reply was: smtp; 550 5.1.1 user unknown',
            createdAt: exampleTime,
            events: [{ type: 'bounced', ts: exampleTime, reason: 'Permanent/General' }],
          },
        ],
      },
    },
  },
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi3'],
    suppressedDestinations: ['Get'],
  },
  words: {
    section: 'Recipients',
    summary: 'Tell why an address got nothing',
    description:
      'One answer with what keeps email from the address now, and what became of the latest emails whose `to` it is. An address that nobody knows has an answer too.',
    fields: {
      ...suppressionFields('suppressions'),
      email: 'The address, in the path URL-encoded.',
      limit: 'How many of the latest emails.',
      contactId: 'The contact, also of an address that is not known yet.',
      obstacles: 'What keeps email from the address now, in words. Empty: nothing does.',
      organization: 'Whether the organization can send at all.',
      'organization.pausedBySes': 'Whether SES has paused it, as a tenant of its own.',
      'organization.identity': 'Its From identity: `active`, `pending`, `failed` or `none`.',
      contact: 'What the organization knows; `null` if it does not know the address.',
      'contact.createdAt': 'Since when, in epoch milliseconds.',
      subscriptions: 'What the person chose. A category that is missing is subscribed.',
      suppressions: 'Why the address gets no email.',
      providerList: 'SES’s own list of addresses that it drops email to.',
      'providerList.state':
        'Whether the address is on it. `not_shown`: no email of your organization bounced there or was complained about, so what SES may have on it is another’s. `unknown`: SES could not be asked, as it limits such calls.',
      'providerList.reason': 'Why it is.',
      'providerList.at': 'Since when, in epoch milliseconds.',
      emails: 'The latest emails whose `to` is the address, newest first.',
      'emails.subject': 'The subject.',
      'emails.status': '`sending`, `sent`, `suppressed` or `failed`.',
      'emails.createdAt': 'When the send was made, in epoch milliseconds.',
      outcome: 'What became of it, in words, with the reply of the recipient’s server.',
    },
    example: { path: { email: 'bob@example.com' }, query: { limit: '1' } },
  },
});
