import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { exampleSuppression, suppressionFields } from '#shared/suppressions/suppression-reference';

export const reference = {
  section: 'Recipients',
  summary: 'Tell why an address got nothing',
  description:
    'One answer with what keeps email from the address now, and what became of the latest emails whose `to` it is. An address that nobody knows has an answer too.',
  access: { key: 'required', scope: 'manage_organization' },
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
  answers: {
    200: {
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
} as const satisfies EndpointReference;
