import { ServiceError } from '#shared/errors/service-error';
import { type ApiKey, missingApiKey } from '#shared/organizations/api-key';
import { type Authentication, authenticateCaller } from '#shared/organizations/authenticate-caller';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import type { Timeline, TimelineStore } from '#shared/sending/timeline-store';
import { organizationIdOf, type SendId } from '#shared/tokens/resource-id';

/** What reading a timeline uses. */
export type TimelineReading = Authentication & {
  readonly timelines: TimelineStore;
  readonly organizations: OrganizationStore;
};

/**
 * Reads a send's timeline. Without a key, the unguessable id alone reads a send that was made with a
 * key without scopes; any other send needs a key of its organization with `read_sends`.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `send_not_found`
 */
export async function getSend(
  sendId: SendId | undefined,
  credential: string | undefined,
  { timelines, organizations, ...authentication }: TimelineReading,
): Promise<Timeline> {
  const [reader, organization, timeline] = await Promise.all([
    authenticateCaller(credential, 'read_sends', authentication),
    // A key of an organization that was deleted is refused.
    credential === undefined && sendId && organizations.get(organizationIdOf(sendId)),
    sendId && timelines.read(sendId, authentication.now()),
  ]);

  const isOfNobody = reader === undefined && !organization;
  const isFound = sendId !== undefined && timeline !== undefined && !isOfNobody;
  if (!isFound || (reader !== undefined && !isOwnedBy(reader, sendId))) throw sendNotFound();
  if (reader === undefined && !timeline.send.isReadableById) throw missingApiKey();
  return timeline;
}

const isOwnedBy = (apiKey: ApiKey, sendId: SendId): boolean =>
  organizationIdOf(apiKey.id) === organizationIdOf(sendId);

const sendNotFound = (): ServiceError =>
  new ServiceError('send_not_found', 'There is no send with this id.');
