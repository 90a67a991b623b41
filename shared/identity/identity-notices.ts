import { type Notice, newNotice } from '#shared/notices/notice';
import type { TenantState } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { WantedIdentity } from './identity.ts';

/** What is new with an organization's identity, or with the organization as a tenant of SES. */
export type IdentityNews = {
  /** Its sends use it from now on. */
  readonly active?: WantedIdentity | undefined;
  /** Its sends used it until now. */
  readonly lost?: Pick<WantedIdentity, 'domain' | 'reason'> | undefined;
  /** SES has paused it. */
  readonly paused?: TenantState | undefined;
};

/** Tells the organization of it. `now` in epoch milliseconds. */
export function identityNotices(
  organizationId: OrganizationId,
  { active, lost, paused }: IdentityNews,
  now: number,
): Notice[] {
  const contents = [
    ...(active ? [activeNotice(active)] : []),
    ...(lost ? [lostNotice(lost, now)] : []),
    ...(paused ? [pausedNotice(organizationId, paused, now)] : []),
  ];
  return contents.map((content) => newNotice(organizationId, content, now));
}

/** The From address stays out of it: a notice names no address. */
const activeNotice = ({ domain }: WantedIdentity) => ({
  cause: 'identity_active' as const,
  about: domain,
  subject: `Your domain ${domain} is verified`,
  text: `SES has verified ${domain}. From now on your emails come from there.

Keep its DKIM records in DNS: SES takes no email from a domain that loses them.`,
});

const lostNotice = (
  { domain, reason }: Pick<WantedIdentity, 'domain' | 'reason'>,
  now: number,
) => ({
  cause: 'identity_lost' as const,
  about: domain,
  subject: `Your domain ${domain} is not verified any more: your emails are refused`,
  text: `At ${timeOf(now)}, your organization lost ${domain}.${because(reason)} Since then, each of your sends is refused with no_active_identity.

GET /api/v1/organization/identity shows each DNS record, what DNS answers and what to mend. Once its records are back, sending goes on by itself.`,
});

const pausedNotice = (
  organizationId: OrganizationId,
  { reason }: Pick<TenantState, 'reason'>,
  now: number,
) => ({
  cause: 'tenant_paused' as const,
  about: organizationId,
  subject: 'Amazon SES has paused your sending',
  text: `At ${timeOf(now)}, Amazon SES had paused the sending of your organization.${because(reason)} Each of your sends is refused with tenant_paused until SES lifts that.

Stop sending to lists that are old, bought or unconfirmed, and ask the operator of this service, who can appeal to AWS. Once the pause is lifted, sending goes on by itself.`,
});

const because = (reason: string | undefined): string =>
  reason === undefined ? '' : ` Its reason: ${reason}`;

const timeOf = (moment: number): string => new Date(moment).toISOString();
