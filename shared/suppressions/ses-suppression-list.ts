import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { makeLean } from '#shared/aws/lean-client';
import { ServiceError } from '#shared/errors/service-error';
import type { OrganizationId } from '#shared/tokens/resource-id';

/**
 * SES accepts an email to a listed address and drops it. A tenant has its own list, by which its emails go; everyone else
 * shares the account's. So only ask about addresses that an SES event has named to the organization (`isOfOwnEvent`).
 *
 * SES keeps addresses as sent to, and knows them by that spelling only (SES developer guide, "Managing tenant
 * suppression list entries", Important).
 *
 * @param usesTenants whether organizations are SES tenants.
 * @param isTenant whether this one is a tenant already: then its sends name it.
 */
export const openProviderSuppressionList = (
  usesTenants: boolean,
  isTenant: (organizationId: OrganizationId) => Promise<boolean>,
  client = openClient(),
) => {
  /** Of the tenant with this name, or the account's. */
  const listOf = async (organizationId: OrganizationId): Promise<OrganizationId | undefined> =>
    usesTenants && (await isTenant(organizationId)) ? organizationId : undefined;
  const removeFrom = async (spellings: readonly string[], TenantName?: OrganizationId) => {
    const removals = spellings.map((EmailAddress) => {
      const removal = { EmailAddress, ...(TenantName && { TenantName }) };
      return unlessMissing(client.send(new DeleteSuppressedDestinationCommand(removal)));
    });
    return (await Promise.all(removals)).some((removed) => removed !== undefined);
  };
  return {
    /** Finds an entry for any of the spellings, on the list by which the organization's emails go. */
    get: async (spellings: readonly string[], organizationId: OrganizationId) =>
      findListed(spellings, await listOf(organizationId), client),

    /**
     * Removes each spelling from that same list.
     *
     * @returns whether it was on it.
     */
    remove: async (spellings: readonly string[], organizationId: OrganizationId) =>
      removeFrom(spellings, await listOf(organizationId)),

    /**
     * Removes each spelling from every list that an email of the organization may have put it on: also from the
     * account's, from before it was a tenant.
     */
    forget: async (spellings: readonly string[], organizationId: OrganizationId): Promise<void> => {
      if (usesTenants) await removeFrom(spellings, organizationId);
      await removeFrom(spellings);
    },
  };
};
export type ProviderSuppressionList = ReturnType<typeof openProviderSuppressionList>;

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
