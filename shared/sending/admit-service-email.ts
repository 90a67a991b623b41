import type { EmailAddress } from '#shared/contacts/email-address';
import { ServiceError } from '#shared/errors/service-error';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { requireSender } from './admission.ts';
import type { FilledAdmission } from './new-claim.ts';
import { applyPolicy } from './recipients.ts';
import type { SendRequest } from './send-request.ts';
import type { Mailing } from './sending.ts';

/** An email of the service to one of its organizations: plain text, so nothing in it is tracked. */
export type ServiceEmail = {
  readonly to: EmailAddress;
  readonly subject: string;
  readonly text: string;
  readonly idempotencyKey: string;
};

/** The built-in policy, whatever the organization calls its own: a notice is not bulk email. */
const policy = { kind: 'transactional' } as const;
const policyKey = 'transactional';

/**
 * Admits an email of the service itself, from the organization's own identity. There is no API key, so no cap
 * counts it. A pause and a suppression of the address count.
 *
 * @throws ServiceError `tenant_paused`, `no_active_identity`
 */
export async function admitServiceEmail(
  organizationId: OrganizationId,
  { to, subject, text, idempotencyKey }: ServiceEmail,
  mailing: Pick<Mailing, 'contexts' | 'usesTenants'>,
): Promise<FilledAdmission> {
  const context = await mailing.contexts.readForService(organizationId, [to]);
  if (context.organization === undefined) {
    throw new ServiceError('no_active_identity', 'The organization is gone.');
  }
  const { organization, fromEmail } = requireSender(context.organization, mailing);
  const request: SendRequest = {
    to,
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
    organization,
    fromEmail,
    request,
    template: undefined,
    policyKey,
    policy,
    recipients: applyPolicy(request, policy, context.contactOf),
    attachments: { count: 0, totalBytes: 0 },
  };
}
