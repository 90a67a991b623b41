import type { ApiKey } from '#shared/access/api-key';
import { type AttachmentTotals, admitAttachments } from '#shared/attachments/admit-attachments';
import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { type Mailbox, parseMailbox } from '#shared/contacts/mailbox';
import { isUnsubscribeHeader, offersOneClick } from '#shared/email/compose-email';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import {
  defaultPolicyKeyOf,
  findPolicy,
  type Organization,
  type Policy,
  policyKeysOf,
} from '#shared/organizations/organization';
import type { SentTemplateReading } from '#shared/templates/sent-template-store';
import { applyPolicy, countRecipients, type Recipients } from './apply-policy.ts';
import type {
  ParsedSendRequest,
  SendRequest,
  TemplateSendRequest,
} from './request/send-request.ts';
import type { SendContext } from './send-context.ts';
import { checkSender, type Sender } from './sender.ts';
import type { Sending } from './sending.ts';

// Whether an email may go out, and to whom. Nothing here is stored or counted.

/** An email that may go out. */
export type AdmittedEmail = {
  readonly apiKey: ApiKey | undefined;
  /** Made with a test key: the email reaches nobody. */
  readonly isTest: boolean;
  readonly organization: Organization;
  readonly sender: Sender;
  readonly request: SendRequest;
  /** The request's policy, or the organization's default. */
  readonly policyKey: string;
  readonly policy: Policy;
  readonly recipients: Recipients;
  readonly attachments: AttachmentTotals;
};

/** An admitted email whose template is still to be filled in. */
export type UnfilledEmail = Omit<AdmittedEmail, 'request'> & {
  readonly request: SendRequest | TemplateSendRequest;
  readonly template: SentTemplateReading | undefined;
};

export type AddressedEmail = {
  readonly request: ParsedSendRequest;
  readonly addressing: Addressing;
};

export const addressEmail = (
  request: ParsedSendRequest,
  { organization, contactOf }: SendContext,
): AddressedEmail => ({
  request,
  addressing: request.ok ? addressingOf(request.value, organization, contactOf) : request,
});

export const recipientsCounted = ({ addressing }: AddressedEmail): number =>
  addressing.ok ? countRecipients(addressing.recipients) : 1;

/** Nobody pays for an email that nobody gets. All test emails count: the day of tests bounds what they store. */
export const countsInOrganization = ({
  isTest,
  recipients,
}: Pick<AdmittedEmail, 'isTest' | 'recipients'>): boolean => isTest || !recipients.isToSuppressed;

/**
 * Checks everything but the limits on the number of emails.
 *
 * @throws ServiceError with the code of the first check that fails.
 */
export async function checkEmail(
  { request: parsed, addressing }: AddressedEmail,
  { apiKey, organization, templateOf }: SendContext,
  now: number,
  { settings, attachments: rules }: Pick<Sending, 'settings' | 'attachments'>,
  log: RequestLog,
): Promise<UnfilledEmail> {
  if (!parsed.ok) throw parsed.error;
  const { value: request } = parsed;
  const template = request.template && templateOf(request.template.asked);
  const from = request.from ?? senderOf(template);
  const verdict = checkSender(organization, from, apiKey, settings);
  if (!verdict.ok) throw verdict.error;
  const attachments = await admitAttachments(
    request.attachments,
    organization,
    now,
    rules,
    (report) => observeAttachments(log, report),
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

type Addressing =
  | ({ readonly ok: true } & Pick<AdmittedEmail, 'policyKey' | 'policy' | 'recipients'>)
  | { readonly ok: false; readonly error: ServiceError };

export function addressingOf(
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

export function senderOf(reading: SentTemplateReading | undefined): Mailbox | undefined {
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
const maxPoliciesListed = 20;

function unknownPolicy(organization: Organization): ServiceError {
  const keys = policyKeysOf(organization).slice(0, maxPoliciesListed);
  return new ServiceError('unknown_policy', 'The organization has no policy with this key.', {
    errors: [{ path: 'policyKey', message: `unknown policy: use one of ${keys.join(', ')}` }],
  });
}
