import { organizationOf } from '#shared/access/admit-caller';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import {
  canAsk,
  maxConfirmationsPerDay,
  mayAskForConfirmation,
} from '#shared/notices/confirmation';
import { requestConfirmation } from '#shared/notices/confirmation-store';
import type { Organization } from '#shared/organizations/organization';
import { exampleSettings } from '#shared/organizations/organization-reference';
import {
  organizationSettingsSchema,
  settingsOf,
} from '#shared/organizations/organization-settings';
import type { TableAndClock } from '#shared/table/table-client';
import { dayMs } from '#shared/timing/day';

const declaration = defineEndpoint({
  route: 'POST /api/v1/organization/notice-email/confirmation',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      body: organizationSettingsSchema,
      description: 'The link is mailed within minutes.',
      example: {
        ...exampleSettings,
        noticeEmail: 'ops@example.com',
        noticeEmailState: 'pending',
      },
    },
  },
  errors: ['no_active_identity', 'nothing_to_confirm', 'rate_limited'],
  isLimited: true,
  lambda: { stack: 'Organizations', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Organization',
    summary: 'Mail the confirmation link to the address for notices again',
    description: `A new \`noticeEmail\` is \`pending\` until somebody opens the link that is mailed to it and presses the button. Setting the address mails the first link; this endpoint mails another. It comes from the organization’s own domain, which must be active. An organization can request ${maxConfirmationsPerDay} a day, and an address gets no more than that from all organizations together.`,
  },
});

export const endpoint = defineEndpoint(declaration, async (request, service) =>
  settingsOf(await requestNoticeConfirmation(request, service)),
);

export async function requestNoticeConfirmation(
  { caller }: RequestTo<typeof declaration>,
  { table, now: readClock }: TableAndClock,
): Promise<Organization> {
  const organization = await organizationOf(table, caller);
  if (!canAsk(organization)) throw needsDomain();
  if (!mayAskForConfirmation(organization)) throw new ServiceError('nothing_to_confirm');
  const now = readClock();
  if ((await requestConfirmation(table, organization, now)) === 'too_many') throw tooMany(now);
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
    `A confirmation link can be mailed ${maxConfirmationsPerDay} times a day. Look for the last one, in the spam folder too, or wait until tomorrow (UTC).`,
    { retryAfterSeconds: secondsUntil((Math.floor(now / dayMs) + 1) * dayMs, now) },
  );
