import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { capability } from '#shared/aws/capability';
import { makeLean } from '#shared/aws/lean-client';
import { tenantsEnvironment } from '#shared/config/environment';
import { ServiceError } from '#shared/errors/service-error';
import { isTenant } from '#shared/organizations/tenancy';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';

// SES accepts an email to a listed address and drops it. A tenant has its own list, by which its emails go; everyone
// else shares the account's. So only ask about addresses that an SES event has named to the organization
// (`isOfOwnEvent`).
//
// SES keeps addresses as sent to, and knows them by that spelling only (SES developer guide, "Managing tenant
// suppression list entries", Important).

/** @param usesTenants whether organizations are SES tenants. */
export const providerListReader =
  (usesTenants: boolean, client = openClient()) =>
  /** Finds an entry for any of the spellings, on the list by which the organization's emails go. */
  async (table: Table, organizationId: OrganizationId, spellings: readonly string[]) =>
    findListed(spellings, await listOf(table, organizationId, usesTenants), client);

export const readsProviderList = /* @__PURE__ */ capability(
  { environment: tenantsEnvironment, suppressedDestinations: ['Get'] },
  ({ SES_TENANTS }) => providerListReader(SES_TENANTS),
);

export type ReadProviderList = ReturnType<typeof providerListReader>;

/** @param usesTenants whether organizations are SES tenants. */
export const providerListRemoval = (usesTenants: boolean, client = openClient()) => {
  const removeFrom = async (spellings: readonly string[], TenantName?: OrganizationId) => {
    const removals = spellings.map((EmailAddress) => {
      const removal = { EmailAddress, ...(TenantName && { TenantName }) };
      return unlessMissing(client.send(new DeleteSuppressedDestinationCommand(removal)));
    });
    return (await Promise.all(removals)).some((removed) => removed !== undefined);
  };
  return {
    /**
     * Removes each spelling from the list by which the organization's emails go.
     *
     * @returns whether it was on it.
     */
    remove: async (table: Table, organizationId: OrganizationId, spellings: readonly string[]) =>
      removeFrom(spellings, await listOf(table, organizationId, usesTenants)),

    /**
     * Removes each spelling from every list that an email of the organization may have put it on: also from the
     * account's, from before it was a tenant.
     */
    forget: async (organizationId: OrganizationId, spellings: readonly string[]): Promise<void> => {
      if (usesTenants) await removeFrom(spellings, organizationId);
      await removeFrom(spellings);
    },
  };
};

export const removesFromProviderList = /* @__PURE__ */ capability(
  { environment: tenantsEnvironment, suppressedDestinations: ['Delete'] },
  ({ SES_TENANTS }) => providerListRemoval(SES_TENANTS),
);

export type ProviderListRemoval = ReturnType<typeof providerListRemoval>;

/** That of the tenant with this name, or the account's. Once an organization is a tenant, its sends name it. */
const listOf = async (
  table: Table,
  organizationId: OrganizationId,
  usesTenants: boolean,
): Promise<OrganizationId | undefined> =>
  usesTenants && (await isTenant(table, organizationId)) ? organizationId : undefined;

async function findListed(
  spellings: readonly string[],
  TenantName: OrganizationId | undefined,
  client: SESv2Client,
): Promise<ProviderSuppression | undefined> {
  const answers = await Promise.all(
    spellings.map((EmailAddress) => {
      const question = { EmailAddress, ...(TenantName && { TenantName }) };
      return unlessMissing(client.send(new GetSuppressedDestinationCommand(question)));
    }),
  );
  const listed = answers.find((answer) => answer?.SuppressedDestination !== undefined);
  const { Reason, LastUpdateTime } = listed?.SuppressedDestination ?? {};
  if (listed === undefined) return undefined;
  return {
    reason: Reason === 'COMPLAINT' ? 'complaint' : 'bounce',
    at: LastUpdateTime?.getTime(),
  };
}

type ProviderSuppression = {
  readonly reason: 'bounce' | 'complaint';
  readonly at: number | undefined;
};

const openClient = () => makeLean(new SESv2Client({}));

async function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    if (error instanceof TooManyRequestsException) throw throttled(error);
    throw error;
  }
}

const throttled = (cause: unknown): ServiceError =>
  new ServiceError(
    'provider_throttled',
    'Amazon SES is throttling calls to its own suppression list. Wait for Retry-After, then repeat the request.',
    { cause, retryAfterSeconds: 2 },
  );
