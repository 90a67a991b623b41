import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import { admitIdentityChange } from '#shared/identity/identity-changes';
import type { IdentityManagement } from '#shared/identity/identity-management';
import type { BothContexts } from '#shared/identity/identity-store';
import type { DomainView } from '#shared/identity/identity-view';
import {
  type DomainSetting,
  requireElsewhereWithout,
  setDomain,
  type WantedDomain,
  wantingOf,
} from '#shared/identity/set-domain';
import { withDefault } from '#shared/identity/show-identity';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import type { endpoint } from './endpoint.ts';

export type DomainCreating = IdentityManagement & { readonly limitsOfDeployment: GivenLimits };

/**
 * Adds a domain: as the default if there is none, else beside it. A repeated request goes on where the first one ended.
 */
export async function createDomain(
  { caller, body, log }: RequestTo<typeof endpoint> & Pick<Surroundings, 'log'>,
  management: DomainCreating,
): Promise<DomainView> {
  const { organizationId, ownLimits } = caller;
  const { domain, mailFromLabel, fromEmail = `hello@${domain}` } = body;
  await admitIdentityChange(organizationId, management);
  const wanted = { domain, fromEmail, mailFromDomain: `${mailFromLabel}.${domain}` };
  const both = await management.identities.readBoth(organizationId, domain);
  const setting = known(both, wanted) ?? added(both, wanted);
  if (setting.elsewhere !== undefined) {
    const limits = limitsInForce(ownLimits, management.limitsOfDeployment);
    requireRoom('domains', domainsOf(both), limits);
  }
  return withDefault(await setDomain(setting, { caller, log }, management), setting.context);
}

const action = 'domain.added';

/** What an earlier request has added, if it says the same. */
function known(both: BothContexts, wanted: WantedDomain): DomainSetting | undefined {
  const context = wantingOf(both, wanted.domain);
  if (context === undefined) return undefined;
  const { fromEmail, mailFromDomain } = context.identity.wanted;
  const isSame = fromEmail === wanted.fromEmail && mailFromDomain === wanted.mailFromDomain;
  if (!isSame) throw new ServiceError('domain_exists');
  return { wanted, context, action };
}

function added({ byDefault, beside }: BothContexts, wanted: WantedDomain): DomainSetting {
  const sending = byDefault.organization?.identity;
  const isFirst = byDefault.identity?.wanted === undefined;
  const isDefault = isFirst && (sending === undefined || sending.domain === wanted.domain);
  const [context, elsewhere] = isDefault ? [byDefault, beside] : [beside, byDefault];
  // The domain that an earlier default still sends from leaves SES once the new one is active.
  if (!isDefault && sending?.domain === wanted.domain) throw new ServiceError('domain_exists');
  requireElsewhereWithout(elsewhere, wanted.domain);
  return { wanted, context, action, elsewhere };
}

const domainsOf = ({ byDefault: { identity, organization } }: BothContexts): number => {
  const hasDefault = identity?.wanted !== undefined || organization?.identity !== undefined;
  return (hasDefault ? 1 : 0) + (organization?.domains?.length ?? 0);
};
