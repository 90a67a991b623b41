import { type Notice, newNotice } from '#shared/notices/notice';
import type { TenantState } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { WantedIdentity } from './identity.ts';

/** News of an organization's identity, or of the organization as a tenant of SES. */
export type IdentityNews = {
  /** Whether `active` and `lost` are of a domain beside the default. */
  readonly isBesideDefault?: boolean;
  /** Its sends use it from now on. */
  readonly active?: WantedIdentity | undefined;
  /** Its sends used it until now. */
  readonly lost?: Pick<WantedIdentity, 'domain' | 'reason'> | undefined;
  /** SES has paused it. */
  readonly paused?: TenantState | undefined;
};

/** The notices about it. `now` in epoch milliseconds. */
export function identityNotices(
  organizationId: OrganizationId,
  { isBesideDefault = false, active, lost, paused }: IdentityNews,
  now: number,
): Notice[] {
  const contents = [
    ...(active ? [activeNotice(active, isBesideDefault)] : []),
    ...(lost ? [lostNotice(lost, isBesideDefault, now)] : []),
    ...(paused ? [pausedNotice(organizationId, paused, now)] : []),
  ];
  return contents.map((content) => newNotice(organizationId, content, now));
}

/** Without the From address: a notice names no address. */
const activeNotice = ({ domain }: WantedIdentity, isBesideDefault: boolean) => ({
  cause: 'identity_active' as const,
  about: domain,
  subject: `Your domain ${domain} is verified`,
  text: `SES has verified ${domain}. ${isBesideDefault ? 'From now on your sends can name any From address of it.' : 'From now on your emails are sent from there.'}

Keep its DKIM records in DNS: SES refuses emails from a domain that loses them.`,
});

const lostNotice = (
  { domain, reason }: Pick<WantedIdentity, 'domain' | 'reason'>,
  isBesideDefault: boolean,
  now: number,
) => ({
  cause: 'identity_lost' as const,
  about: domain,
  subject: `Your domain ${domain} is no longer verified: your emails${isBesideDefault ? ' from it' : ''} are refused`,
  text: `At ${timeOf(now)}, your organization lost ${domain}.${because(reason)} Since then, all your sends${isBesideDefault ? ' from it' : ''} are refused with no_active_identity.

GET ${isBesideDefault ? `/api/v1/domains/${domain}` : '/api/v1/organization/identity'} shows each DNS record, what DNS answers and what to fix. Once the records are back, sending resumes by itself.`,
});

const pausedNotice = (
  organizationId: OrganizationId,
  { reason }: Pick<TenantState, 'reason'>,
  now: number,
) => ({
  cause: 'tenant_paused' as const,
  about: organizationId,
  subject: 'Amazon SES has paused your sending',
  text: `By ${timeOf(now)}, Amazon SES had paused sending for your organization.${because(reason)} All your sends are refused with tenant_paused until SES lifts the pause.

Stop sending to old, bought or unconfirmed lists, and ask the operator of this service, who can appeal to AWS. Once the pause is lifted, sending resumes by itself.`,
});

const because = (reason: string | undefined): string =>
  reason === undefined ? '' : ` Its reason: ${reason}`;

const timeOf = (moment: number): string => new Date(moment).toISOString();
