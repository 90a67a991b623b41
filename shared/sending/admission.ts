import {
  type ApiKey,
  authenticate,
  holdsSecret,
  invalidApiKey,
  type PresentedKey,
  parseApiKey,
} from '#shared/access/api-key';
import { limitKey, limitOrganization, refusalToStore } from '#shared/access/limit-sending';
import type { RateLimit } from '#shared/access/rate-window';
import { requireScope } from '#shared/access/scopes';
import {
  type AttachmentReport,
  type AttachmentTotals,
  admitAttachments,
} from '#shared/attachments/admit-attachments';
import { isErasedSince } from '#shared/contacts/contact';
import type { EmailAddress } from '#shared/contacts/email-address';
import { type Mailbox, parseMailbox } from '#shared/contacts/mailbox';
import { isUnsubscribeHeader, offersOneClick } from '#shared/email/compose-email';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  defaultPolicyKeyOf,
  findPolicy,
  type Organization,
  type Policy,
  policyKeysOf,
  requireSameDigest,
} from '#shared/organizations/organization';
import type { SentTemplateReading, TemplateAsk } from '#shared/templates/sent-template-store';
import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import { applyPolicy, countRecipients, type Recipients } from './apply-policy.ts';
import { fillInTemplate, mayBeMended } from './fill-in-template.ts';
import { templateGone, templateUnusable } from './later/waiting.ts';
import {
  isForLater,
  type ParsedSendRequest,
  recipientsIn,
  type SendRequest,
  type TemplateSendRequest,
} from './request/send-request.ts';
import type { SendContext } from './send-context-store.ts';
import { judgeSender, type Sender } from './sender.ts';
import type { Sending } from './sending.ts';

export type Admission = {
  readonly apiKey: ApiKey | undefined;
  /** Made with a test key: the email reaches nobody. */
  readonly isTest: boolean;
  readonly organization: Organization;
  readonly sender: Sender;
  readonly request: SendRequest | TemplateSendRequest;
  readonly template: SentTemplateReading | undefined;
  /** The request's policy, or the organization's default. */
  readonly policyKey: string;
  readonly policy: Policy;
  readonly recipients: Recipients;
  readonly attachments: AttachmentTotals;
};

export type FilledAdmission = Admission & { readonly request: SendRequest };

/** Called whether or not the request is admitted. */
export type AdmissionObserver = {
  /** Called once the caller has shown a key's secret. The key may be revoked or expired. */
  readonly onSecret?: (id: ApiKeyId) => void;
  /** Called once the key is known to be valid. */
  readonly onKey: (apiKey: ApiKey) => void;
  /** Called once key and scope are checked, so every later refusal can show the rate limit. */
  readonly onRateLimit: (rateLimit: RateLimit) => void;
  readonly onAttachments: (report: AttachmentReport) => void;
};

export type Grounds = {
  readonly apiKey: ApiKey;
  readonly organization: Organization;
  readonly contactOf: SendContext['contactOf'];
  /** Finds only the organization's own templates that the emails ask for. */
  readonly templateOf: (ask: TemplateAsk) => SentTemplateReading | undefined;
};

/**
 * Checks in this order, after key and scope: rate limit, the request itself, organization, attachments, policy, limits,
 * template. Every request of a capped key counts: by its recipients, or as one if it can't be sent.
 *
 * @throws ServiceError with the code of the first check that fails.
 */
export async function admit(
  parsed: ParsedSendRequest,
  grounds: Grounds,
  now: number,
  sending: Sending,
  observer: Pick<AdmissionObserver, 'onRateLimit' | 'onAttachments'>,
): Promise<FilledAdmission> {
  const { apiKey, organization } = grounds;
  const addressed = addressEmail(parsed, grounds);
  const recipients = recipientsCounted(addressed);
  await limitKey(apiKey, recipients, now, sending.rateWindows, observer.onRateLimit);
  const admission = await judgeEmail(addressed, grounds, now, sending, observer);
  const full = refusalToStore(organization, 0, now, sending, apiKey);
  if (full !== undefined) throw full;
  // Emails for later count when they go out.
  if (!isForLater(admission.request) && countsInOrganization(admission)) {
    await limitOrganization(organization, recipients, now, sending, apiKey);
  }
  return filledIn(admission);
}

/** @throws ServiceError if the template doesn't exist, or can't render with these variables. */
export async function filledIn(admission: Admission): Promise<FilledAdmission> {
  const filled = await fillInTemplate(admission);
  if (!filled.ok) throw filled.error;
  return filled.admission;
}

/** Nobody pays for an email that nobody gets. All test emails count: the day of tests bounds what they store. */
export const countsInOrganization = ({
  isTest,
  recipients,
}: Pick<Admission, 'isTest' | 'recipients'>): boolean => isTest || !recipients.isToSuppressed;

/** A plain send has no more recipients, so a forged key costs no more reads. */
const mostReadWithKey = 3;

/** Whether all of it is read in one round trip, before the key is known to be valid. */
const isPlain = (email: ParsedSendRequest): boolean =>
  !email.ok ||
  (email.value.template === undefined && recipientsIn(email.value).length <= mostReadWithKey);

/**
 * Checks key and scope of a single send, and reads whatever else it needs. A caller without a valid key doesn't learn
 * whether its request was well-formed.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function readGroundsOfOne(
  credential: string | PresentedKey | undefined,
  email: ParsedSendRequest,
  now: number,
  sending: Pick<Sending, 'contexts' | 'templates'>,
  observer: Pick<AdmissionObserver, 'onSecret' | 'onKey'>,
): Promise<Grounds> {
  if (!isPlain(email)) return readGrounds(credential, [email], now, sending, observer);
  const presented = presentedIn(credential);
  const recipients = email.ok ? recipientsIn(email.value) : [];
  const context = await sending.contexts.read(presented.id, recipients);
  const known = admitKey(presented, context, now, observer);
  return { ...known, contactOf: context.contactOf, templateOf: () => undefined };
}

/**
 * Checks key and scope, then reads whatever else the emails need. Anyone can make up a key, and the reads of a batch are
 * thousands.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function readGrounds(
  credential: string | PresentedKey | undefined,
  emails: readonly ParsedSendRequest[],
  now: number,
  sending: Pick<Sending, 'contexts' | 'templates'>,
  observer: Pick<AdmissionObserver, 'onSecret' | 'onKey'>,
): Promise<Grounds> {
  const presented = presentedIn(credential);
  const context = await sending.contexts.read(presented.id, []);
  const known = admitKey(presented, context, now, observer);
  const { id } = known.organization;
  const requests = emails.flatMap((email) => (email.ok ? [email.value] : []));
  const [contactOf, templateOf] = await Promise.all([
    sending.contexts.readContacts(id, requests.flatMap(recipientsIn)),
    readTemplates(requests, id, sending),
  ]);
  return { ...known, contactOf, templateOf };
}

const presentedIn = (credential: string | PresentedKey | undefined): PresentedKey =>
  typeof credential === 'object' ? credential : parseApiKey(credential);

function admitKey(
  presented: PresentedKey,
  context: Pick<SendContext, 'apiKey' | 'organization'>,
  now: number,
  { onSecret, onKey }: Pick<AdmissionObserver, 'onSecret' | 'onKey'>,
): Pick<Grounds, 'apiKey' | 'organization'> {
  const { organization } = context;
  if (organization && holdsSecret(presented, context.apiKey)) onSecret?.(presented.id);
  const apiKey = authenticate(presented, context.apiKey, now);
  if (organization === undefined) throw invalidApiKey();
  onKey(apiKey);
  requireScope(apiKey, 'send_email');
  requireSameDigest(organization);
  return { apiKey, organization };
}

export type AddressedEmail = {
  readonly request: ParsedSendRequest;
  readonly addressing: Addressing;
};

export const addressEmail = (
  request: ParsedSendRequest,
  { organization, contactOf }: Grounds,
): AddressedEmail => ({
  request,
  addressing: request.ok ? addressingOf(request.value, organization, contactOf) : request,
});

export const recipientsCounted = ({ addressing }: AddressedEmail): number =>
  addressing.ok ? countRecipients(addressing.recipients) : 1;

/**
 * Checks everything but the limits on the number of emails.
 *
 * @throws ServiceError with the code of the first check that fails.
 */
export async function judgeEmail(
  { request: parsed, addressing }: AddressedEmail,
  { apiKey, organization, templateOf }: Grounds,
  now: number,
  sending: Sending,
  { onAttachments }: Pick<AdmissionObserver, 'onAttachments'>,
): Promise<Admission> {
  if (!parsed.ok) throw parsed.error;
  const { value: request } = parsed;
  const template = request.template && templateOf(request.template.asked);
  const from = request.from ?? senderOf(template);
  const verdict = judgeSender(organization, from, apiKey, sending);
  if (!verdict.ok) throw verdict.error;
  const attachments = await admitAttachments(
    request.attachments,
    organization,
    now,
    sending,
    onAttachments,
  );
  if (!addressing.ok) throw addressing.error;
  const { policyKey, policy, recipients } = addressing;
  requireOneWayOut(request, policy, organization);
  return {
    apiKey,
    isTest: apiKey.test === true,
    organization,
    sender: verdict.sender,
    request,
    template,
    policyKey,
    policy,
    recipients,
    attachments,
  };
}

/** Two ways to unsubscribe in one email: mail clients would show either. An email sent again gets today's. */
function requireOneWayOut(
  { headers = {}, resendOf }: Pick<SendRequest, 'headers' | 'resendOf'>,
  policy: Policy,
  organization: Organization,
): void {
  const own = Object.keys(headers).find(isUnsubscribeHeader);
  if (own === undefined || resendOf !== undefined || !offersOneClick(policy, organization)) return;
  throw invalidField(
    `headers.${own}`,
    'is set by the service for emails with this policy. Leave it out; for transactional emails, the organization’s transactionalUnsubscribe can be turned off',
  );
}

export const recipientErased = 'RecipientErased';
/** Its key was revoked as leaked. */
export const apiKeyLeaked = 'ApiKeyLeaked';

export type AdmittedAgain =
  | { readonly ok: true; readonly admission: FilledAdmission }
  | {
      readonly ok: false;
      readonly reason:
        | typeof recipientErased
        | typeof apiKeyLeaked
        | typeof templateUnusable
        | typeof templateGone;
    };

type AcceptedEarlier = {
  readonly acceptedAt: number;
  readonly apiKeyId: ApiKeyId | undefined;
  /** What its key was allowed to send from when it was accepted. */
  readonly fromEmail: string;
  readonly isTest: boolean;
  readonly now: number;
};

/**
 * Admits an email that was accepted earlier, by today's state: organization, sender, policy, suppressions and limits
 * may have changed. Attachments aren't checked again. It goes out even if its key has been revoked or narrowed since,
 * unless it was revoked as leaked, or the email would now come from another address, which its key may not use.
 *
 * Its template comes before sender and limits: it may name the sender, and an email that waits for it counts towards no
 * limit.
 *
 * @throws ServiceError with the code of the first check that fails.
 */
export async function admitAgain(
  organizationId: OrganizationId,
  accepted: SendRequest | TemplateSendRequest,
  { acceptedAt, apiKeyId, fromEmail, isTest, now }: AcceptedEarlier,
  sending: Pick<
    Sending,
    'contexts' | 'templates' | 'rateWindows' | 'limitsOfDeployment' | 'usesTenants'
  >,
): Promise<AdmittedAgain> {
  const { contexts } = sending;
  const named = recipientsIn(accepted);
  const [{ apiKey, organization, contactOf }, templateOf] = await Promise.all([
    apiKeyId ? contexts.read(apiKeyId, named) : contexts.readForService(organizationId, named),
    readTemplates([accepted], organizationId, sending),
  ]);
  if (organization === undefined) {
    throw new ServiceError('no_active_identity', 'The organization is gone.');
  }
  requireSameDigest(organization);
  if (apiKey?.leaked) return { ok: false, reason: apiKeyLeaked };
  const isThere = (address: EmailAddress) => !isErasedSince(contactOf(address), acceptedAt);
  if (!isThere(accepted.to)) return { ok: false, reason: recipientErased };
  const people = {
    ...accepted,
    moreTo: accepted.moreTo.filter(isThere),
    cc: accepted.cc.filter(isThere),
    bcc: accepted.bcc.filter(isThere),
  };
  const template = people.template && templateOf(people.template.asked);
  const filled = await fillInTemplate({ request: people, template });
  if (!filled.ok) {
    const reason = mayBeMended({ request: people, template }) ? templateUnusable : templateGone;
    return { ok: false, reason };
  }
  const { request } = filled.admission;
  const from = request.from ?? senderOf(template);
  const mode = isTest ? { test: true as const } : {};
  // Its template, or the organization, may name another sender by now.
  const isKeyGone = apiKeyId !== undefined && apiKey === undefined;
  const allowedFrom = isKeyGone ? [] : apiKey?.allowedFrom;
  const allowed = allowedFrom && { allowedFrom: [...allowedFrom, fromEmail.toLowerCase()] };
  const verdict = judgeSender(organization, from, { ...mode, ...allowed }, sending);
  if (!verdict.ok) throw verdict.error;
  const addressing = addressingOf(request, organization, contactOf);
  if (!addressing.ok) throw addressing.error;
  const { policyKey, policy, recipients } = addressing;
  if (countsInOrganization({ isTest, recipients })) {
    await limitOrganization(organization, countRecipients(recipients), now, sending, mode);
  }
  const admission = {
    ...{ apiKey: undefined, isTest },
    ...{ organization, sender: verdict.sender, request, template, policyKey, policy, recipients },
    attachments: { count: 0, totalBytes: 0 },
  };
  return { ok: true, admission };
}

type Addressing =
  | ({ readonly ok: true } & Pick<Admission, 'policyKey' | 'policy' | 'recipients'>)
  | { readonly ok: false; readonly error: ServiceError };

function addressingOf(
  request: SendRequest | TemplateSendRequest,
  organization: Organization,
  contactOf: SendContext['contactOf'],
): Addressing {
  const policyKey = request.policyKey ?? defaultPolicyKeyOf(organization);
  const found = policyFor(policyKey, request, organization);
  if (!found.ok) return found;
  const { policy } = found;
  return { ok: true, policyKey, policy, recipients: applyPolicy(request, policy, contactOf) };
}

/** Templates that several emails share are read once. */
async function readTemplates(
  requests: readonly (SendRequest | TemplateSendRequest)[],
  organizationId: OrganizationId,
  { templates }: Pick<Sending, 'templates'>,
): Promise<Grounds['templateOf']> {
  const asks = new Map(
    requests.flatMap(({ template }) =>
      template === undefined ? [] : [[wordsOf(template.asked), template.asked] as const],
    ),
  );
  const readings = await Promise.all(
    [...asks].map(
      async ([words, ask]) => [words, await templates.read(organizationId, ask)] as const,
    ),
  );
  const found = new Map(readings);
  return (ask) => found.get(wordsOf(ask));
}

const wordsOf = ({ name, version, locale }: TemplateAsk): string =>
  [name, version, locale].join(' ');

function senderOf(reading: SentTemplateReading | undefined): Mailbox | undefined {
  const from = reading?.kind === 'found' ? reading.template.from : undefined;
  const parsed = from === undefined ? undefined : parseMailbox(from);
  return parsed?.ok ? parsed.value : undefined;
}

/** Every recipient of bulk email must be able to unsubscribe alone, so each needs a separate email. */
function policyFor(
  policyKey: string,
  { moreTo, cc, bcc }: SendRequest | TemplateSendRequest,
  organization: Organization,
):
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly error: ServiceError } {
  const policy = findPolicy(organization, policyKey);
  if (policy === undefined) return { ok: false, error: unknownPolicy(organization) };
  const extra = Object.entries({ to: moreTo, cc, bcc }).find(([, list]) => list.length > 0);
  if (policy.kind === 'bulk' && extra !== undefined) {
    const [path] = extra;
    const error = new ServiceError(
      'bulk_needs_one_recipient',
      'A bulk email has one recipient, so that each can unsubscribe alone. Send one email to each, or use a transactional policy.',
      { errors: [{ path, message: bulkFault(path) }] },
    );
    return { ok: false, error };
  }
  return { ok: true, policy };
}

const bulkFault = (path: string): string =>
  path === 'to' ? 'must be one address with a bulk policy' : 'must be empty with a bulk policy';

/** An organization with more policies knows their keys. */
const mostPoliciesListed = 20;

function unknownPolicy(organization: Organization): ServiceError {
  const keys = policyKeysOf(organization).slice(0, mostPoliciesListed);
  return new ServiceError('unknown_policy', 'The organization has no policy with this key.', {
    errors: [{ path: 'policyKey', message: `unknown policy: use one of ${keys.join(', ')}` }],
  });
}
