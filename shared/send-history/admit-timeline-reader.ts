import { admitCaller, type Caller, type Presented } from '#shared/access/admit-caller';
import { type ApiKey, missingApiKey } from '#shared/access/api-key';
import { hasScope, missingScope, requireScope, type Scope } from '#shared/access/scopes';
import { ServiceError } from '#shared/errors/service-error';
import { isKeylessReadingOn } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import type { Send } from '#shared/sending/send';
import type { TableAndClock } from '#shared/table/table-client';
import { organizationIdOf, sendIdSchema } from '#shared/tokens/resource-id';
import { getTimeline, type Timeline } from './timeline-store.ts';

export const readingScopes = ['read_sends', 'emails_read'] as const satisfies readonly Scope[];

/** For the list, which a manager reads, too. */
export const listingScopes = [...readingScopes, 'manage_organization'] as const;

/** A timeline, and who reads it: `undefined` by its id alone. */
export type TimelineRead = Timeline & { readonly reader: Caller | undefined };

/**
 * A key is admitted before anything else is read. A key with one of `readingScopes` reads every send of its
 * organization. A send made with a key without scopes can be read by its unguessable id alone, with such a key of its
 * organization or with none, unless the organization has turned that off: then only the key that made it still reads it.
 *
 * @param id as in the path: a stranger doesn't learn which ids are malformed.
 */
export async function readTimeline(
  presented: Presented,
  id: string | undefined,
  service: TableAndClock,
): Promise<TimelineRead> {
  const { table, now } = service;
  const sendId = sendIdSchema.safeParse(id).data;
  const reader = await admitReader(presented, service);
  const [organization, timeline] = await Promise.all([
    // A deleted organization's key is refused.
    presented.credential === undefined &&
      sendId &&
      getOrganization(table, organizationIdOf(sendId)),
    sendId && getTimeline(table, sendId, now()),
  ]);

  const isOfNobody = reader === undefined && !organization;
  const isFound = sendId !== undefined && timeline !== undefined && !isOfNobody;
  if (!isFound || (reader !== undefined && reader.organizationId !== organizationIdOf(sendId))) {
    throw new ServiceError('send_not_found');
  }

  const { send } = timeline;
  const apiKey = reader?.apiKey;
  if (apiKey?.test && !send.test) throw new ServiceError('send_not_found');
  const read = { ...timeline, reader };
  if (apiKey !== undefined && (mayReadAll(apiKey) || isMadeBy(apiKey, send))) {
    return read;
  }
  const owner = organization || (await getOrganization(table, organizationIdOf(sendId)));
  if (send.isReadableById && isKeylessReadingOn(owner)) return read;
  if (reader === undefined) throw missingApiKey();
  throw missingScope(reader.apiKey, readingScopes[0]);
}

/** Requires one of `readingScopes` or a key without scopes, which may read what such keys send. */
async function admitReader(
  presented: Presented,
  service: TableAndClock,
): Promise<Caller | undefined> {
  if (presented.credential === undefined) return undefined;
  const caller = await admitCaller(presented, service, { takesTestKeys: true });
  if (caller.apiKey.scopes.length > 0) requireScope(caller.apiKey, ...readingScopes);
  return caller;
}

const mayReadAll = ({ scopes }: ApiKey): boolean =>
  readingScopes.some((scope) => hasScope(scopes, scope));

const isMadeBy = (apiKey: ApiKey, { apiKeyId, isReadableById }: Send): boolean =>
  isReadableById && apiKeyId === apiKey.id;
