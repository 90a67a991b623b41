import type { EmailAddress } from '#shared/contacts/email-address';
import { ServiceError } from '#shared/errors/service-error';
import { type Organization, requireSameDigest } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { applyPolicy } from './apply-policy.ts';
import type { AdmittedEmail } from './check-email.ts';
import type { SendRequest } from './request/send-request.ts';
import { readStored } from './send-context.ts';
import { checkSender, type Sender } from './sender.ts';
import type { Mailing } from './sending.ts';

/** An email from the service to one of its organizations: plain text, so nothing in it is tracked. */
export type ServiceEmail = {
  readonly to: EmailAddress;
  readonly subject: string;
  readonly text: string;
  /** One of the service's own keys, which requests can't use: see `claim.ts`. */
  readonly idempotencyKey: string;
  /** Whether the deployment's own address may send it if the organization can't. */
  readonly mayComeFromDeployment: boolean;
};

/**
 * The built-in policy, even if the organization has one of that name: a notice isn't bulk email. The content isn't
 * kept, because its links act for the recipient.
 */
const policy = { kind: 'transactional', keepsContent: false } as const;
const policyKey = 'transactional';

export type ServiceMailing = Pick<Mailing, 'table' | 'settings'> & {
  /** From address, verified in SES, for notices to an organization that can't send them itself. */
  readonly noticeFromEmail: string | undefined;
};

/**
 * Sends from the organization's own identity, or from the deployment's address, if any, when the organization can't
 * send. No API key means no cap; suppressions apply.
 */
export async function admitServiceEmail(
  organizationId: OrganizationId,
  { to, subject, text, idempotencyKey, mayComeFromDeployment }: ServiceEmail,
  mailing: ServiceMailing,
): Promise<AdmittedEmail> {
  const context = await readStored(mailing.table, organizationId, undefined, [to]);
  if (context.organization === undefined) {
    throw new ServiceError('no_active_identity', 'The organization is gone.');
  }
  requireSameDigest(context.organization);
  const { organization, sender } = senderOf(
    context.organization,
    mayComeFromDeployment ? mailing : { ...mailing, noticeFromEmail: undefined },
  );
  const request: SendRequest = {
    to,
    moreTo: [],
    cc: [],
    bcc: [],
    subject,
    content: text,
    htmlContent: undefined,
    policyKey,
    attachments: [],
    idempotencyKey,
  };
  return {
    apiKey: undefined,
    isTest: false,
    organization,
    sender,
    request,
    policyKey,
    policy,
    recipients: applyPolicy(request, policy, context.contactOf),
    attachments: { count: 0, totalBytes: 0 },
  };
}

function senderOf(
  organization: Organization,
  { settings, noticeFromEmail }: ServiceMailing,
): { readonly organization: Organization; readonly sender: Sender } {
  const own = checkSender(organization, undefined, undefined, settings);
  if (own.ok) return { organization, sender: own.sender };
  if (noticeFromEmail === undefined) throw own.error;
  const { tenant, senderName, replyTo, ...inNobodysName } = organization;
  const sender = { fromEmail: noticeFromEmail, fromName: undefined };
  return { organization: inNobodysName, sender };
}
