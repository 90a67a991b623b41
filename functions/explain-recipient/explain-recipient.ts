import { isKnown } from '#shared/contacts/contact';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Event } from '#shared/events/event';
import type { IdentityContext, IdentityStore } from '#shared/identity/identity-store';
import { activeDomainsOf } from '#shared/organizations/organization';
import { identitiesIn } from '#shared/sending/erased-recipients';
import { addressesIn, type Send, stateAt } from '#shared/sending/send';
import { explainSend, outcomeFor } from '#shared/sends/explain-send';
import { readSends, type SendListStore } from '#shared/sends/send-list-store';
import { identityOf } from '#shared/sends/shown-recipients';
import type { TimelineStore } from '#shared/sends/timeline-store';
import { isOfOwnEvent, spellingsOf } from '#shared/suppressions/lift-from-contact';
import type { ProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import type {
  Suppression,
  SuppressionListStore,
} from '#shared/suppressions/suppression-list-store';
import { contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';
import { explainObstacles } from './explain-obstacles.ts';

export type RecipientExplanation = {
  readonly now: () => number;
  readonly identities: Pick<IdentityStore, 'read'>;
  readonly suppressions: SuppressionListStore;
  readonly providerList: Pick<ProviderSuppressionList, 'get'>;
  readonly sends: SendListStore;
  readonly timelines: Pick<TimelineStore, 'read'>;
};

export async function explainRecipient(
  { caller: { organizationId }, path, query: { limit } }: RequestTo<typeof endpoint>,
  explanation: RecipientExplanation,
) {
  const { address, identity } = path.email;
  const contactId = contactIdOf(organizationId, identity);
  const [context, { contact, suppressions }, { found: sends }] = await Promise.all([
    explanation.identities.read(organizationId),
    explanation.suppressions.ofContact(contactId),
    readSends(organizationId, { to: contactId, limit }, explanation),
  ]);
  const spellings = [address, identity, ...sends.flatMap((send) => spellingsIn(send, identity))];
  const [providerList, emails] = await Promise.all([
    askProvider({ suppressions, spellings, organizationId }, explanation),
    Promise.all(sends.map((send) => explainEmail(send, identity, explanation))),
  ]);
  const known = isKnown(contact) ? contact : undefined;
  const organization = stateOf(context);
  const latest = emails[0]?.events.findLast(({ type }) => type === 'bounced');
  return {
    email: identity,
    contactId,
    obstacles: explainObstacles({ organization, suppressions, providerList, latest }),
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

type Question = {
  readonly suppressions: readonly Suppression[];
  readonly spellings: readonly string[];
  readonly organizationId: OrganizationId;
};

/**
 * Asks only about an address that bounced or complained for this organization, as all may share SES's list. SES allows
 * about one such call a second; if it refuses, the answer does without it.
 */
async function askProvider(
  { suppressions, spellings, organizationId }: Question,
  { providerList }: RecipientExplanation,
) {
  if (!suppressions.some(isOfOwnEvent)) return { state: 'not_shown' } as const;
  const all = new Set(spellings.flatMap((one) => spellingsOf(suppressions, one)));
  try {
    const listed = await providerList.get([...all], organizationId);
    return listed === undefined
      ? ({ state: 'not_listed' } as const)
      : ({ state: 'listed', ...listed } as const);
  } catch {
    return { state: 'unknown' } as const;
  }
}

async function explainEmail(
  send: Send,
  identity: string,
  { timelines, now }: RecipientExplanation,
) {
  const timeline = await timelines.read(send.id, now());
  const events = (timeline?.events ?? []).filter((event) => mayConcern(event, send, identity));
  const told = { send, events, identity };
  return {
    sendId: send.id,
    subject: send.subject,
    status: stateAt(send, now()).status,
    outcomeKind: outcomeFor(told, now()),
    outcome: explainSend(told, now()),
    createdAt: send.createdAt,
    events,
  };
}

/**
 * Leaves out events that are only about other recipients. Mail gets forwarded, so an unknown address may be anyone's.
 */
function mayConcern({ recipients = [] }: Event, send: Send, identity: string): boolean {
  const others = new Set(identitiesIn(send).filter((one) => one !== identity));
  return recipients.length === 0 || recipients.some(({ email }) => !others.has(identityOf(email)));
}
