import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { findKnownMailRecipient } from '#shared/contacts/mail-recipient';
import { preferencesOf } from '#shared/contacts/preferences';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/pages/page-response';
import { preferencesPage } from '#shared/pages/preferences-page';
import { createMailRecipientDependencies } from '#shared/sending/mail-recipient-dependencies';

const dependencies = createMailRecipientDependencies(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ query: { token } }) => {
  const { organization, contact } = await findKnownMailRecipient(
    'preferences',
    token,
    dependencies,
  );
  const categories = await dependencies.listCategories(organization.id);
  const page = preferencesPage({
    organizationName: organization.name,
    preferences: preferencesOf(contact, categories),
    unsubscribedFromAll: contact.unsubscribe !== undefined,
    saved: false,
    form: { action: `/preferences?token=${token}` },
  });
  return pageResponse(200, page);
});
