import { type Notice, newNotice } from '#shared/notices/notice';
import type { TenantState } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { WantedIdentity } from './identity.ts';

/** News about the identity, or about the organization as an SES tenant. */
export type IdentityNews = {
  /** Whether `active` and `lost` are about a domain beside the default. */
  readonly isBesideDefault?: boolean;
  /** Sends use it from now on. */
  readonly active?: Pick<WantedIdentity, 'domain' | 'fromEmail'> | undefined;
  /** Sends used it until now. */
  readonly lost?: LostDomain | undefined;
  readonly paused?: TenantState | undefined;
};

type LostDomain = Pick<WantedIdentity, 'domain' | 'reason'> & {
  /** The domain that is to replace it. */
  readonly replacement?: string;
};

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

/** A notice contains no address. */
const activeNotice = ({ domain }: Pick<WantedIdentity, 'domain'>, isBesideDefault: boolean) => ({
  cause: 'identity_active' as const,
  about: domain,
  subject: `Your domain ${domain} is verified`,
  text: `SES has verified ${domain}. ${isBesideDefault ? 'You can now send from any address at it.' : 'Your emails are now sent from it.'}

Keep its DKIM records in DNS. Without them, SES refuses emails from the domain.`,
});

const lostNotice = (
  { domain, reason, replacement }: LostDomain,
  isBesideDefault: boolean,
  now: number,
) => ({
  cause: 'identity_lost' as const,
  about: domain,
  subject: `Your domain ${domain} is no longer verified: your emails${isBesideDefault ? ' from it' : ''} are refused`,
  text: `${domain} lost its verification at ${timeOf(now)}.${because(reason)} Until it is, every send${isBesideDefault ? ' from it' : ''} is refused with no_active_identity.

${replacement === undefined ? recordsOf(domain, isBesideDefault) : recordsBeside(domain, replacement)} Once the records are back, sending resumes automatically.`,
});

const recordsOf = (domain: string, isBesideDefault: boolean): string =>
  `GET ${isBesideDefault ? `/api/v1/domains/${domain}` : '/api/v1/organization/identity'} shows each DNS record, what DNS has instead, and how to fix it.`;

/** The API shows the records of the wanted domain only. */
const recordsBeside = (domain: string, replacement: string): string =>
  `GET /api/v1/organization/identity shows the records of ${replacement}, which is to replace ${domain}. To see those of ${domain}, set it again with PUT.`;

const pausedNotice = (
  organizationId: OrganizationId,
  { reason }: Pick<TenantState, 'reason'>,
  now: number,
) => ({
  cause: 'tenant_paused' as const,
  about: organizationId,
  subject: 'Amazon SES has paused your sending',
  text: `Amazon SES has paused sending for your organization (seen at ${timeOf(now)}).${because(reason)} Every send is refused with tenant_paused until SES lifts the pause.

Stop sending to old, bought or unconfirmed lists, and ask the operator of this service, who can appeal to AWS. Once the pause is lifted, sending resumes automatically.`,
});

const because = (reason: string | undefined): string =>
  reason === undefined ? '' : ` The reason: ${reason}`;

const timeOf = (moment: number): string => new Date(moment).toISOString();
