import * as z from 'zod/mini';
import { bareAddress } from '#shared/contacts/address-field';
import { isKnown } from '#shared/contacts/contact';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { defineEndpoint, type RequestTo, type Service } from '#shared/endpoints/endpoint';
import { type Event, eventSchema } from '#shared/events/event';
import { identityStatuses } from '#shared/identity/identity';
import { getIdentity, type IdentityContext } from '#shared/identity/identity-store';
import { activeDomainsOf } from '#shared/organizations/organization';
import { choicesOf, subscriptionSchema } from '#shared/preferences/preferences';
import { eventsAbout, explainFor, outcomeFor } from '#shared/send-history/explain-send';
import { outcomes } from '#shared/send-history/outcome';
import { readSends } from '#shared/send-history/send-list-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { exampleVerdict, verdictOfSuppression, verdictSchema } from '#shared/send-history/verdict';
import { addressesIn, type Send, sendStatuses, stateAt } from '#shared/sending/send';
import { isOfOwnEvent, spellingsOf } from '#shared/suppressions/lift-from-contact';
import {
  type ReadProviderList,
  readsProviderList,
} from '#shared/suppressions/ses-suppression-list';
import {
  getSuppressedContact,
  type Suppression,
} from '#shared/suppressions/suppression-list-store';
import { exampleSuppression, suppressionFields } from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema, toSuppressionView } from '#shared/suppressions/suppression-view';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import {
  contactIdOf,
  contactIdSchema,
  type OrganizationId,
  sendIdSchema,
} from '#shared/tokens/resource-id';
import { addressVerdictSchema, explainAddress, nextStepSchema } from './explain-address.ts';
import { explainObstacles } from './explain-obstacles.ts';

export type RecipientExplanation = Pick<Service, 'table' | 'now'> & {
  readonly readProviderList: ReadProviderList;
};

type Question = {
  readonly suppressions: readonly Suppression[];
  readonly spellings: readonly string[];
  readonly organizationId: OrganizationId;
};

const { next: afterwards = '', ...suppressing } = verdictOfSuppression(exampleSuppression);
const suppressed = { ...suppressing, next: afterwards };

const declaration = defineEndpoint({
  route: 'GET /api/v1/recipients/{email}',
  access: { key: 'required', scope: ['recipients_read', 'manage_organization'] },
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
        verdict: addressVerdictSchema,
        nextStep: nextStepSchema,
        organization: z.object({
          paused: z.boolean(),
          pausedBySes: z.boolean(),
          identity: z.enum([...identityStatuses, 'none']),
          activeDomains: z.array(z.string()),
        }),
        contact: z.nullable(
          z.object({ createdAt: z.int(), subscriptions: z.array(subscriptionSchema) }),
        ),
        suppressions: z.array(z.extend(suppressionViewSchema, { verdict: verdictSchema })),
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
            verdict: verdictSchema,
            createdAt: z.int(),
            events: z.array(eventSchema),
          }),
        ),
      }),
      description: 'What keeps email from the address, and its latest emails.',
      example: {
        email: 'bob@example.com',
        contactId: exampleIds.contact,
        obstacles: [`${suppressed.sentence} (since 2026-11-21T09:00:00.000Z).`],
        verdict: suppressed,
        nextStep: { about: 'address', text: suppressed.next },
        organization: {
          paused: false,
          pausedBySes: false,
          identity: 'active',
          activeDomains: ['news.example.com'],
        },
        contact: { createdAt: exampleTime, subscriptions: [] },
        suppressions: [{ ...exampleSuppression, verdict: suppressed }],
        providerList: { state: 'not_listed' },
        emails: [
          {
            sendId: exampleIds.send,
            subject: 'Welcome',
            status: 'sent',
            outcomeKind: 'bounced',
            outcome: `${exampleVerdict.sentence}. The server replied: smtp; 550 5.1.1 user unknown`,
            verdict: exampleVerdict,
            createdAt: exampleTime,
            events: [{ type: 'bounced', ts: exampleTime, reason: 'Permanent/General' }],
          },
        ],
      },
    },
  },
  uses: { readProviderList: readsProviderList },
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi3'],
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
      contactId: 'The contact. An unknown address has an ID too.',
      obstacles: 'What keeps email from the address now, in words. Empty if nothing does.',
      'suppressions.verdict': 'What the suppression means, and what to do next.',
      'emails.verdict': 'What became of it for this recipient, and what to do next.',
      nextStep: 'The one thing to do next so that the person gets email.',
      'nextStep.text': 'The step, in words.',
      'nextStep.about':
        'What to look at: the `organization`, its `domains`, the `address`, or the latest `email` to it.',
      organization: 'Whether the organization can send at all.',
      'organization.pausedBySes': 'Whether SES has paused the organization as a tenant.',
      'organization.identity':
        'The state of its default domain: `active`, `pending`, `failed` or `none`.',
      activeDomains: 'The domains it may send from, the default first.',
      contact: 'The contact as the organization knows it; `null` if the address is unknown.',
      'contact.createdAt': 'When the organization first knew the address, in epoch milliseconds.',
      subscriptions: 'The choices of the person. A category that is missing is subscribed.',
      suppressions: 'Why the address gets no email.',
      providerList: 'SES’s own suppression list: SES drops email to the addresses on it.',
      'providerList.state':
        'Whether the address is on the list. `not_shown`: none of your emails to this address bounced or drew a complaint, so any entry is due to someone else’s email. `unknown`: SES couldn’t be asked, because it limits such calls.',
      'providerList.reason': 'Why the address is on the list.',
      'providerList.at': 'When it was put on the list, in epoch milliseconds.',
      emails: 'The latest emails with this address in `to`, `cc` or `bcc`, newest first.',
      'emails.subject': 'The subject of the email.',
      'emails.status': 'The status of the send.',
      'emails.outcomeKind':
        'What became of it for this recipient, in the terms of `outcome` in the list of sends.',
      'emails.createdAt': 'When the send was created, in epoch milliseconds.',
      outcome: 'What happened to the email, in words, with the reply of the recipient’s server.',
    },
    example: { path: { email: 'bob@example.com' }, query: { limit: '1' } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, explanation) => {
  const { contact, suppressions, ...explained } = await explainRecipient(request, explanation);
  return {
    ...explained,
    contact: contact && { createdAt: contact.createdAt, subscriptions: choicesOf(contact) },
    suppressions: suppressions.map((suppression) => ({
      ...toSuppressionView(suppression),
      verdict: verdictOfSuppression(suppression),
    })),
  };
});

export async function explainRecipient(
  { caller: { organizationId }, path, query: { limit } }: RequestTo<typeof declaration>,
  explanation: RecipientExplanation,
) {
  const { address, identity } = path.email;
  const contactId = contactIdOf(organizationId, identity);
  const [context, { contact, suppressions }, { found: sends }] = await Promise.all([
    getIdentity(explanation.table, organizationId),
    getSuppressedContact(explanation.table, contactId),
    readSends(explanation.table, organizationId, { to: contactId, limit }, explanation.now),
  ]);
  const spellings = [address, identity, ...sends.flatMap((send) => spellingsIn(send, identity))];
  const [providerList, emails] = await Promise.all([
    askProvider({ suppressions, spellings, organizationId }, explanation),
    Promise.all(sends.map((send) => explainEmail(send, identity, explanation))),
  ]);
  const known = isKnown(contact) ? contact : undefined;
  const organization = stateOf(context);
  const latest = emails[0]?.events.findLast(({ type }) => type === 'bounced');
  const { about, verdict } = explainAddress({
    organization,
    suppressions,
    isKnown: known !== undefined,
    latest: emails[0]?.verdict,
  });
  return {
    email: identity,
    contactId,
    obstacles: explainObstacles({ organization, suppressions, providerList, latest }),
    verdict,
    nextStep: { about, text: verdict.next ?? 'Nothing to do.' },
    organization,
    contact: known ?? null,
    suppressions,
    providerList,
    emails,
  };
}

/** `identity` is the default domain's status: that of the one in use, else of the wanted one. */
const stateOf = ({ organization, identity }: IdentityContext) => ({
  paused: organization?.paused ?? false,
  pausedBySes: organization?.tenant?.sending === 'paused',
  identity: organization?.identity?.status ?? identity?.wanted?.status ?? ('none' as const),
  activeDomains: organization === undefined ? [] : [...activeDomainsOf(organization)],
});

const spellingsIn = (send: Send, identity: string): string[] =>
  addressesIn(send).filter((address) => recipientIdentityOf(address) === identity);

/**
 * Asks only about an address that bounced or complained for this organization, as all may share SES's list. SES allows
 * about one such call a second; if it refuses, the answer does without it.
 */
async function askProvider(
  { suppressions, spellings, organizationId }: Question,
  { table, readProviderList }: RecipientExplanation,
) {
  if (!suppressions.some(isOfOwnEvent)) return { state: 'not_shown' } as const;
  const all = new Set(spellings.flatMap((one) => spellingsOf(suppressions, one)));
  try {
    const listed = await readProviderList(table, organizationId, [...all]);
    return listed === undefined
      ? ({ state: 'not_listed' } as const)
      : ({ state: 'listed', ...listed } as const);
  } catch {
    return { state: 'unknown' } as const;
  }
}

async function explainEmail(send: Send, identity: string, { table, now }: RecipientExplanation) {
  const timeline = await getTimeline(table, send.id, now());
  const events = eventsAbout(timeline?.events ?? [], send, identity);
  const history = { send, events, identity };
  const verdict = explainFor(history, now());
  return {
    sendId: send.id,
    subject: send.subject,
    status: stateAt(send, now()).status,
    outcomeKind: outcomeFor(history, now()),
    outcome: `${verdict.sentence}.${replyIn(events)}`,
    verdict,
    createdAt: send.createdAt,
    events: [...events],
  };
}

/** What the server said last. */
function replyIn(events: readonly Event[]): string {
  const diagnostics = events.flatMap(({ recipients = [] }) =>
    recipients.flatMap(({ diagnostic }) => diagnostic ?? []),
  );
  const last = diagnostics.at(-1);
  return last === undefined ? '' : ` The server replied: ${last}`;
}
