import {
  AlreadyExistsException,
  CreateTenantCommand,
  CreateTenantResourceAssociationCommand,
  DeleteTenantCommand,
  DeleteTenantResourceAssociationCommand,
  GetReputationEntityCommand,
  GetTenantCommand,
  NotFoundException,
  PutTenantSuppressionAttributesCommand,
  type SESv2Client,
  type Tenant,
  type TenantSuppressionAttributes,
} from '@aws-sdk/client-sesv2';
import { capability } from '#shared/aws/capability';
import { sesTenantsEnvironment } from '#shared/config/environment';
import type { SesSuppressionChoice } from '#shared/config/ses-settings';
import type { TenantState } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { answered, openIdentityClient, unless } from './ses-identities.ts';

/**
 * Organizations are SES tenants under their ids, so that SES judges each one separately. SES refuses a send that names
 * a tenant unless its domain and configuration set belong to the tenant (PostHog/posthog#75863).
 *
 * Source: SES guide, "Tenants"; SES API v2 reference.
 */
export const sesTenantsOf = (
  client: SESv2Client,
  configurationSetName: string,
  suppresses: SesSuppressionChoice,
) => {
  const SuppressionAttributes: TenantSuppressionAttributes = {
    SuppressionScope: 'TENANT',
    // With `nobody` the configuration set turns all lists off.
    SuppressedReasons:
      suppresses === 'bounces_and_complaints' ? ['BOUNCE', 'COMPLAINT'] : ['BOUNCE'],
  };
  /** On the account's list, one organization's bounce would block the others' email. */
  const ensureOwnList = async (tenant: Tenant | undefined): Promise<void> => {
    const { TenantName, SuppressionAttributes: existing } = tenant ?? {};
    if (TenantName === undefined || isSameList(existing, SuppressionAttributes)) return;
    const command = new PutTenantSuppressionAttributesCommand({
      TenantName,
      ...SuppressionAttributes,
    });
    await answered(client.send(command));
  };
  const find = (organizationId: OrganizationId) => findTenant(organizationId, client);
  const associate = (TenantName: OrganizationId, ResourceArn: string) => {
    const command = new CreateTenantResourceAssociationCommand({ TenantName, ResourceArn });
    return unless(AlreadyExistsException, client.send(command));
  };
  return {
    /**
     * Each step can be repeated. Domains that SES doesn't have are skipped, because nothing can be sent from them
     * anyway.
     *
     * @returns whether SES lets the tenant send.
     */
    async ensure(organizationId: OrganizationId, domains: readonly string[]): Promise<TenantState> {
      const create = new CreateTenantCommand({ TenantName: organizationId, SuppressionAttributes });
      const tenant =
        (await find(organizationId)) ??
        (await answered(unless(AlreadyExistsException, client.send(create)))) ??
        (await find(organizationId));
      await ensureOwnList(tenant);
      const configurationSet = resourceArn(tenant, `configuration-set/${configurationSetName}`);
      await answered(associate(organizationId, configurationSet));
      for (const domain of domains) {
        const associated = associate(organizationId, resourceArn(tenant, `identity/${domain}`));
        await answered(unless(NotFoundException, associated));
      }
      return stateOf(tenant, client);
    },

    /** SES won't delete a domain that is associated with a tenant. */
    async dissociate(organizationId: OrganizationId, domain: string): Promise<void> {
      const tenant = await find(organizationId);
      if (tenant === undefined) return;
      const command = new DeleteTenantResourceAssociationCommand({
        TenantName: organizationId,
        ResourceArn: resourceArn(tenant, `identity/${domain}`),
      });
      await answered(unless(NotFoundException, client.send(command)));
    },

    /** Its resources stay in SES without a tenant. */
    async delete(organizationId: OrganizationId): Promise<void> {
      const command = new DeleteTenantCommand({ TenantName: organizationId });
      await answered(unless(NotFoundException, client.send(command)));
    },
  };
};
export type SesTenants = ReturnType<typeof sesTenantsOf>;

/** `undefined` unless organizations are SES tenants. */
export const worksOnSesTenants = <const Actions extends readonly string[]>(
  tenantActions: Actions,
) =>
  capability(
    { environment: sesTenantsEnvironment, tenantActions },
    ({ SES_TENANTS, CONFIGURATION_SET_NAME, SES_SUPPRESSES }) =>
      SES_TENANTS
        ? sesTenantsOf(openIdentityClient(), CONFIGURATION_SET_NAME, SES_SUPPRESSES)
        : undefined,
  );

const sesTenantStatesOf = (client: SESv2Client) => ({
  /** `undefined` for organizations that aren't tenants. */
  async read(organizationId: OrganizationId): Promise<TenantState | undefined> {
    const tenant = await findTenant(organizationId, client);
    return tenant && stateOf(tenant, client);
  },
});
export type SesTenantStates = ReturnType<typeof sesTenantStatesOf>;

export const readsSesTenants = /* @__PURE__ */ capability(
  { tenantActions: ['GetTenant', 'GetReputationEntity'] },
  () => sesTenantStatesOf(openIdentityClient()),
);

async function findTenant(
  organizationId: OrganizationId,
  client: SESv2Client,
): Promise<Tenant | undefined> {
  const command = new GetTenantCommand({ TenantName: organizationId });
  return (await answered(unless(NotFoundException, client.send(command))))?.Tenant;
}

function isSameList(
  existing: TenantSuppressionAttributes | undefined,
  desired: TenantSuppressionAttributes,
): boolean {
  const reasonsOf = (attributes: TenantSuppressionAttributes | undefined) =>
    attributes?.SuppressedReasons?.toSorted().join();
  return (
    existing?.SuppressionScope === desired.SuppressionScope &&
    reasonsOf(existing) === reasonsOf(desired)
  );
}

/** A function learns partition, Region and account only from the tenant's ARN. */
function resourceArn(tenant: Pick<Tenant, 'TenantArn'> | undefined, resource: string): string {
  const [prefix, rest] = tenant?.TenantArn?.split(':tenant/') ?? [];
  if (prefix === undefined || rest === undefined) throw new Error('SES gave a tenant without ARN');
  return `${prefix}:${resource}`;
}

/** `REINSTATED` tenants can send, although findings are open (SES API reference, "SendingStatus"). */
async function stateOf(
  tenant: Pick<Tenant, 'SendingStatus' | 'TenantArn'> | undefined,
  client: SESv2Client,
): Promise<TenantState> {
  if (tenant?.SendingStatus !== 'DISABLED') return { sending: 'enabled' };
  const command = new GetReputationEntityCommand({
    ReputationEntityReference: tenant.TenantArn,
    ReputationEntityType: 'RESOURCE',
  });
  const { ReputationEntity: entity } = await answered(client.send(command));
  const { AwsSesManagedStatus: bySes, CustomerManagedStatus: byCustomer } = entity ?? {};
  const record = bySes?.Status === 'DISABLED' ? bySes : byCustomer;
  return { sending: 'paused', ...(record?.Cause !== undefined && { reason: record.Cause }) };
}
