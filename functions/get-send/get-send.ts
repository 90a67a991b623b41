import { ServiceError } from '#shared/errors/service-error';
import { type ApiKey, missingApiKey } from '#shared/organizations/api-key';
import { type Authentication, authenticateCaller } from '#shared/organizations/authenticate-caller';
import type { Timeline, TimelineStore } from '#shared/sending/timeline-store';
import { organizationIdOf, type SendId } from '#shared/tokens/resource-id';

/**
 * Reads a send's timeline. Without a key, the unguessable id alone reads a send that was made with a
 * key without scopes; any other send needs a key of its organization with `read_sends`.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `send_not_found`
 */
export async function getSend(
  sendId: SendId | undefined,
  credential: string | undefined,
  { timelines, ...authentication }: Authentication & { timelines: TimelineStore },
): Promise<Timeline> {
  const [reader, timeline] = await Promise.all([
    authenticateCaller(credential, 'read_sends', authentication),
    sendId && timelines.read(sendId, authentication.now()),
  ]);

  const isFound = sendId !== undefined && timeline !== undefined;
  if (!isFound || (reader !== undefined && !isOwnedBy(reader, sendId))) throw sendNotFound();
  if (reader === undefined && !timeline.send.isReadableById) throw missingApiKey();
  return timeline;
}

const isOwnedBy = (apiKey: ApiKey, sendId: SendId): boolean =>
  organizationIdOf(apiKey.id) === organizationIdOf(sendId);

const sendNotFound = (): ServiceError =>
  new ServiceError('send_not_found', 'There is no send with this id.');
