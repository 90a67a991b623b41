import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { findKnownMailRecipient } from '#shared/contacts/mail-recipient';
import { preferencesOf } from '#shared/contacts/preferences';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/pages/page-response';
import { readPreferencesForm } from '#shared/pages/preferences-form';
import { preferencesPage } from '#shared/pages/preferences-page';
import { createMailRecipientDependencies } from '#shared/sending/mail-recipient-dependencies';
import { savePreferences } from './save-preferences.ts';

const dependencies = createMailRecipientDependencies(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ query: { token }, fields }) => {
  const recipient = await findKnownMailRecipient('preferences', token, dependencies);
  await savePreferences(recipient, readPreferencesForm(fields), dependencies);

  const { organization, contact } = await findKnownMailRecipient(
    'preferences',
    token,
    dependencies,
  );
  const page = preferencesPage({
    organizationName: organization.name,
    preferences: preferencesOf(contact, await dependencies.listCategories(organization.id)),
    unsubscribedFromAll: contact.unsubscribe !== undefined,
    saved: true,
    form: { action: `/preferences?token=${token}` },
  });
  return pageResponse(200, page);
});
