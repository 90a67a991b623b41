import { isKnown } from '#shared/contacts/contact';
import { serve } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import { choicesOf } from '#shared/preferences/preferences';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { contactIdOf } from '#shared/tokens/resource-id';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { suppressions: openSuppressionListStore },
  async ({ caller, path: { email } }, stores) => {
    const contactId = contactIdOf(caller.organizationId, email.identity);
    const { contact, suppressions } = await stores.suppressions.ofContact(contactId);
    if (!isKnown(contact)) throw new ServiceError('contact_not_found');
    return {
      ...contact,
      subscriptions: choicesOf(contact),
      suppressions: suppressions.map(toSuppressionView),
    };
  },
);
