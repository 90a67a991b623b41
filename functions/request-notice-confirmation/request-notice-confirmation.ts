import { invalidApiKey } from '#shared/access/api-key';
import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { canAsk, mayAskForConfirmation, mostConfirmationsADay } from '#shared/notices/confirmation';
import type { ConfirmationStore } from '#shared/notices/confirmation-store';
import type { Organization } from '#shared/organizations/organization';
import type { OrganizationStore } from '#shared/organizations/organization-store';

export type ConfirmationRequesting = Authentication & {
  readonly organizations: Pick<OrganizationStore, 'get'>;
  readonly confirmations: Pick<ConfirmationStore, 'request'>;
};

const dayMs = 86_400_000;

/**
 * Has the address for notices mailed another link that confirms it.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `nothing_to_confirm`, `no_active_identity`, `rate_limited`
 */
export async function requestNoticeConfirmation(
  credential: string | undefined,
  { organizations, confirmations, ...authentication }: ConfirmationRequesting,
): Promise<Organization> {
  const { organizationId } = await authenticateManager(credential, authentication);
  const organization = await organizations.get(organizationId);
  if (organization === undefined) throw invalidApiKey();
  if (!canAsk(organization)) throw needsDomain();
  if (!mayAskForConfirmation(organization)) throw nothingToConfirm();
  const now = authentication.now();
  if ((await confirmations.request(organization, now)) === 'too_many') throw tooMany(now);
  return organization;
}

const needsDomain = (): ServiceError =>
  new ServiceError(
    'no_active_identity',
    'The link is mailed from your own domain, and none is active yet. Set up your domain: once it is verified, the link is mailed by itself.',
  );

const nothingToConfirm = (): ServiceError =>
  new ServiceError(
    'nothing_to_confirm',
    'There is no address for notices that waits for a confirmation. Set noticeEmail with PATCH /api/v1/organization.',
  );

const tooMany = (now: number): ServiceError =>
  new ServiceError(
    'rate_limited',
    `A confirmation link can be mailed ${mostConfirmationsADay} times a day. Look for the one that was sent, in the spam folder too, or wait until tomorrow (UTC).`,
    { retryAfterSeconds: secondsUntil((Math.floor(now / dayMs) + 1) * dayMs, now) },
  );
