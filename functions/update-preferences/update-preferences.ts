import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { sourceNetworkOf } from '#shared/http/source-address';
import { changePreferences } from '#shared/preferences/change-preferences';
import type { Contacts } from '#shared/preferences/contacts';
import { findContact } from '#shared/preferences/find-contact';
import type { Preferences } from '#shared/preferences/preferences';
import type { endpoint } from './endpoint.ts';

export async function updatePreferences(
  { caller, source, body }: RequestTo<typeof endpoint> & Pick<Surroundings, 'source'>,
  contacts: Contacts,
): Promise<Preferences> {
  const { subscriptions, ...names } = body;
  const network = sourceNetworkOf(source, contacts.proxiesInFront);
  const contact = await findContact({ ...names, caller, network }, 'change', contacts);
  return changePreferences(contact, subscriptions, contacts);
}
