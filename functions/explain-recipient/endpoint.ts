import * as z from 'zod/mini';
import { tenantsEnvironment } from '#shared/config/environment';
import { bareAddress } from '#shared/contacts/address-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { eventSchema } from '#shared/events/event';
import { identityStatuses } from '#shared/identity/identity';
import { subscriptionSchema } from '#shared/preferences/preferences';
import { sendStatuses } from '#shared/sending/send';
import { outcomes } from '#shared/sends/outcome';
import { exampleSuppression, suppressionFields } from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { contactIdSchema, sendIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/recipients/{email}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ email: bareAddress }),
  query: z.strictObject({
    limit: z._default(z.coerce.number<number | string>().check(z.int(), z.gte(1), z.lte(20)), 10),
  }),
  answers: {
    200: {
      body: z.object({
        email: z.string(),
        contactId: contactIdSchema,
        obstacles: z.array(z.string()),
        organization: z.object({
          paused: z.boolean(),
          pausedBySes: z.boolean(),
          identity: z.enum([...identityStatuses, 'none']),
          activeDomains: z.array(z.string()),
        }),
        contact: z.nullable(
          z.object({ createdAt: z.int(), subscriptions: z.array(subscriptionSchema) }),
        ),
        suppressions: z.array(suppressionViewSchema),
        providerList: z.object({
          state: z.enum(['listed', 'not_listed', 'not_shown', 'unknown']),
          reason: z.optional(z.enum(['bounce', 'complaint'])),
          at: z.optional(z.int()),
        }),
        emails: z.array(
          z.object({
            sendId: sendIdSchema,
            subject: z.string(),
            status: z.enum(sendStatuses),
            outcomeKind: z.enum(outcomes),
            outcome: z.string(),
            createdAt: z.int(),
            events: z.array(eventSchema),
          }),
        ),
      }),
      description: 'What keeps email from the address, and its latest emails.',
      example: {
        email: 'bob@example.com',
        contactId: exampleIds.contact,
        obstacles: [
          'An email to the address bounced permanently (2026-11-21T09:00:00.000Z): there is no such mailbox.',
        ],
        organization: {
          paused: false,
          pausedBySes: false,
          identity: 'active',
          activeDomains: ['news.example.com'],
        },
        contact: { createdAt: exampleTime, subscriptions: [] },
        suppressions: [exampleSuppression],
        providerList: { state: 'not_listed' },
        emails: [
          {
            sendId: exampleIds.send,
            subject: 'Welcome',
            status: 'sent',
            outcomeKind: 'bounced',
            outcome:
              'It bounced permanently: there is no such mailbox. The server replied: smtp; 550 5.1.1 user unknown',
            createdAt: exampleTime,
            events: [{ type: 'bounced', ts: exampleTime, reason: 'Permanent/General' }],
          },
        ],
      },
    },
  },
  lambda: {
    stack: 'Recipients',
    environment: tenantsEnvironment,
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi3'],
    suppressedDestinations: ['Get'],
  },
  words: {
    section: 'Recipients',
    summary: 'Explain why an address got no email',
    description:
      'Shows what keeps email from the address now, and what happened to the latest emails with this address in `to`, `cc` or `bcc`. An unknown address gets an answer too.',
    fields: {
      ...suppressionFields('suppressions'),
      email: 'The address. URL-encode it in the path.',
      limit: 'How many of the latest emails to show.',
      contactId: 'The contact. An address that is not known yet has an ID too.',
      obstacles: 'What keeps email from the address now, in words. Empty if nothing does.',
      organization: 'Whether the organization can send at all.',
      'organization.pausedBySes': 'Whether SES has paused the organization as a tenant.',
      'organization.identity':
        'The state of its default domain: `active`, `pending`, `failed` or `none`.',
      activeDomains: 'From which domains it may send, the default first.',
      contact: 'The contact as the organization knows it; `null` if it does not know the address.',
      'contact.createdAt': 'When the organization first knew the address, in epoch milliseconds.',
      subscriptions: 'The choices of the person. A category that is missing is subscribed.',
      suppressions: 'Why the address gets no email.',
      providerList: 'SES’s own suppression list: SES drops email to the addresses on it.',
      'providerList.state':
        'Whether the address is on the list. `not_shown`: no email of your organization to this address bounced or was complained about, so an entry would be because of somebody else’s email. `unknown`: SES could not be asked, because it limits such calls.',
      'providerList.reason': 'Why the address is on the list.',
      'providerList.at': 'When it was put on the list, in epoch milliseconds.',
      emails: 'The latest emails with this address in `to`, `cc` or `bcc`, newest first.',
      'emails.subject': 'The subject of the email.',
      'emails.status': 'The status of the send.',
      'emails.outcomeKind':
        'What became of it for this recipient, as `outcome` in the list of sends says it of all.',
      'emails.createdAt': 'When the send was created, in epoch milliseconds.',
      outcome: 'What happened to the email, in words, with the reply of the recipient’s server.',
    },
    example: { path: { email: 'bob@example.com' }, query: { limit: '1' } },
  },
});
