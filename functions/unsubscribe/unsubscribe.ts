import { admitCaller } from '#shared/access/admit-caller';
import type { DayQuotas } from '#shared/access/limit-day';
import type { PageRequest } from '#shared/endpoints/serve-page';
import { ServiceError } from '#shared/errors/service-error';
import { parseForm } from '#shared/http/parse-request';
import { sourceNetworkOf } from '#shared/http/source-address';
import { leaveCategory } from '#shared/preferences/change-preferences';
import { unsubscribeAddress } from '#shared/preferences/unsubscribe-address';
import {
  lookUpTokenHolder,
  type MailedContacts,
  type TokenHolder,
} from '#shared/sends/token-holder';
import { endpoint } from './endpoint.ts';

type UnsubscribeRequest = Pick<
  PageRequest<typeof endpoint>,
  'query' | 'credential' | 'source' | 'readFields'
> &
  Partial<Pick<PageRequest<typeof endpoint>, 'linkHost'>>;

/**
 * Unsubscribes the token's holder, or else the address in the body. A category's token leaves only that category,
 * unless the query asks for everything. With a token in the URL, the body isn't read (RFC 8058 §3.2). Idempotent.
 *
 * @returns the token's holder, with the category if only that was left; nothing for a bare address, so that the answer
 *   reveals nothing about it. For a deleted sender's token, there's nothing left to do.
 * @throws ServiceError `contact_not_found` for a token that isn't ours; `invalid_api_key`; as `unsubscribeAddress`
 */
export async function unsubscribe(
  { query, credential, source, readFields, linkHost }: UnsubscribeRequest,
  contacts: MailedContacts & DayQuotas,
): Promise<TokenHolder | 'sender gone' | undefined> {
  const isForEverything = query.everything === 'true';
  const leave = (token: string) => unsubscribeHolder(token, isForEverything, contacts, linkHost);
  if (query.token !== undefined) return leave(query.token);
  const caller = credential === undefined ? undefined : await admitCaller(credential, contacts);
  const { token, ...address } = parseForm(endpoint.body, await readFields());
  if (token !== undefined) return leave(token);
  // Links have a token. A bare address may be another organization's.
  if (linkHost !== undefined) throw new ServiceError('contact_not_found');
  const network = sourceNetworkOf(source, contacts.proxiesInFront);
  await unsubscribeAddress(address, { caller, network }, contacts);
  return undefined;
}

async function unsubscribeHolder(
  token: string,
  isForEverything: boolean,
  contacts: MailedContacts,
  linkHost: string | undefined,
): Promise<TokenHolder | 'sender gone'> {
  const holder = await lookUpTokenHolder('unsubscribe', token, contacts, linkHost);
  if (holder === 'sender gone') return holder;
  const { contact, category } = holder;
  if (category === undefined || isForEverything) {
    await contacts.outbox.unsubscribe(contact, contacts.now());
    return { ...holder, category: undefined };
  }
  await leaveCategory(contact.id, category.key, contacts);
  return holder;
}
