import type { ApiKey } from '#shared/access/api-key';
import type { Mailbox } from '#shared/contacts/mailbox';
import { type FieldError, ServiceError } from '#shared/errors/service-error';
import { activeDomainsOf, type Organization } from '#shared/organizations/organization';

export type Sender = { readonly fromEmail: string; readonly fromName: string | undefined };

type SenderVerdict =
  | { readonly ok: true; readonly sender: Sender }
  /** With the code `tenant_paused`, `no_active_identity` or `from_not_allowed`. */
  | { readonly ok: false; readonly error: ServiceError };

/**
 * @param from any address of an active domain, or any at all in a test email, which reaches nobody. Default: the
 *   organization's identity.
 *
 * @param usesTenants whether each organization is an SES tenant: otherwise SES pauses none.
 */
export function checkSender(
  organization: Organization,
  from: Mailbox | undefined,
  apiKey: Pick<ApiKey, 'allowedFrom' | 'test'> | undefined,
  { usesTenants }: { readonly usesTenants: boolean },
): SenderVerdict {
  const { paused, tenant, identity } = organization;
  const isTest = apiKey?.test === true;
  if (paused) {
    return refused(
      'tenant_paused',
      'The operator of this service has paused sending for your organization. Ask them why, and to lift the pause.',
    );
  }
  if (usesTenants && tenant?.sending === 'paused' && !isTest) {
    const reason = tenant.reason === undefined ? '' : ` Its reason: ${tenant.reason}`;
    return refused(
      'tenant_paused',
      `Amazon SES has paused sending for your organization.${reason} Fix the cause, then ask the operator of this service, who can answer SES.`,
    );
  }
  const ofIdentity = identity?.status === 'active' ? identity.fromEmail : undefined;
  const fromEmail = from?.address.address ?? ofIdentity ?? (isTest ? testFromEmail : undefined);
  if (fromEmail === undefined) {
    return refused('no_active_identity', withoutDefault(organization));
  }
  const domain = domainOf(fromEmail);
  if (from !== undefined && !isTest && !activeDomainsOf(organization).includes(domain)) {
    return refused(
      'no_active_identity',
      `The organization has no active domain ${domain}. Add and verify it, or send from another.`,
      { path: 'from', message: `must be an address of an active domain, which ${domain} is not` },
    );
  }
  if (apiKey?.allowedFrom !== undefined && !isAllowed(fromEmail, apiKey.allowedFrom)) {
    return refused(
      'from_not_allowed',
      'The API key may not send from this address. Use one of its allowedFrom, or another key.',
      { path: 'from', message: `must be one of ${apiKey.allowedFrom.join(', ')}` },
    );
  }
  return { ok: true, sender: { fromEmail, fromName: from?.name } };
}

/** Suggests an active domain, if there is one. */
function withoutDefault(organization: Organization): string {
  const active = activeDomainsOf(organization);
  return active.length === 0
    ? 'The organization has no active domain. Verify one first.'
    : `The organization has no active default domain. Set one, or send \`from\` an address of an active domain: ${active.join(', ')}.`;
}

/** The sender of test emails until the organization has a domain. */
const testFromEmail = 'test@example.com';

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** @param allowed addresses, or `*@domain`, in lower case. */
function isAllowed(fromEmail: string, allowed: readonly string[]): boolean {
  const address = fromEmail.toLowerCase();
  return allowed.includes(address) || allowed.includes(`*@${domainOf(address)}`);
}

const refused = (
  code: 'tenant_paused' | 'no_active_identity' | 'from_not_allowed',
  detail: string,
  fault?: FieldError,
): SenderVerdict => ({
  ok: false,
  error: new ServiceError(code, detail, fault && { errors: [fault] }),
});
