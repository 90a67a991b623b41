import { organizationOf } from '#shared/access/admit-caller';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { canAsk, mayAskForConfirmation, mostConfirmationsADay } from '#shared/notices/confirmation';
import type { ConfirmationStore } from '#shared/notices/confirmation-store';
import type { Organization } from '#shared/organizations/organization';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { dayMs } from '#shared/timing/day';
import type { endpoint } from './endpoint.ts';

type ConfirmationRequesting = {
  readonly now: () => number;
  readonly organizations: Pick<OrganizationStore, 'get'>;
  readonly confirmations: Pick<ConfirmationStore, 'request'>;
};

export async function requestNoticeConfirmation(
  { caller }: RequestTo<typeof endpoint>,
  { organizations, confirmations, now: readClock }: ConfirmationRequesting,
): Promise<Organization> {
  const organization = await organizationOf(caller, organizations);
  if (!canAsk(organization)) throw needsDomain();
  if (!mayAskForConfirmation(organization)) throw new ServiceError('nothing_to_confirm');
  const now = readClock();
  if ((await confirmations.request(organization, now)) === 'too_many') throw tooMany(now);
  return organization;
}

const needsDomain = (): ServiceError =>
  new ServiceError(
    'no_active_identity',
    'The link is mailed from your own domain, and none is active yet. Set up your domain: the link is mailed as soon as it is verified.',
  );

const tooMany = (now: number): ServiceError =>
  new ServiceError(
    'rate_limited',
    `A confirmation link can be mailed ${mostConfirmationsADay} times a day. Look for the last one, in the spam folder too, or wait until tomorrow (UTC).`,
    { retryAfterSeconds: secondsUntil((Math.floor(now / dayMs) + 1) * dayMs, now) },
  );
