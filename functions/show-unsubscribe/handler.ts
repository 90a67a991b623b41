import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { signContactToken } from '#shared/contacts/contact-token';
import { findMailRecipient } from '#shared/contacts/mail-recipient';
import { redirectResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/pages/page-response';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import { createMailRecipientDependencies } from '#shared/sending/mail-recipient-dependencies';
import { showUnsubscribe } from './show-unsubscribe.ts';

const dependencies = createMailRecipientDependencies(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ query: { token } }) => {
  const recipient = await findMailRecipient('unsubscribe', token, dependencies);
  const view = showUnsubscribe(recipient, token ?? '');
  if (view.kind === 'redirect') return redirectResponse(view.url);

  const keyring = await dependencies.keyring();
  const preferencesToken = signContactToken(keyring, 'preferences', recipient.token);
  const page = unsubscribePage({
    state: 'confirm',
    organizationName: recipient.organization.name,
    email: recipient.contact.email,
    preferencesUrl: `/preferences?token=${preferencesToken}`,
    form: { action: `/api/unsubscribe?token=${token}` },
  });
  return pageResponse(200, page);
});
