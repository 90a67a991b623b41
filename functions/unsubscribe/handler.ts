import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { signContactToken } from '#shared/contacts/contact-token';
import type { MailRecipient } from '#shared/contacts/mail-recipient';
import { presentedCredential } from '#shared/http/credential';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/pages/page-response';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import { createMailRecipientDependencies } from '#shared/sending/mail-recipient-dependencies';
import type { UnsubscribeResponse } from './schema.ts';
import { unsubscribe } from './unsubscribe.ts';

const dependencies = createMailRecipientDependencies(parseEnvironment(contactEnvironment));

/** RFC 8058 §3.2: the token is in the URL, the body says `List-Unsubscribe=One-Click`. */
export const handler = pageEndpoint(async ({ query, fields, headers, wantsPage }) => {
  const recipient = await unsubscribe(
    query['token'] ?? fields.get('token') ?? undefined,
    {
      email: fields.get('email') ?? undefined,
      organizationId: fields.get('organizationId') ?? undefined,
      credential: presentedCredential(headers),
    },
    dependencies,
  );
  if (wantsPage && recipient !== undefined) return donePage(recipient);
  const response: UnsubscribeResponse = { status: 'unsubscribed' };
  return jsonResponse(response);
});

async function donePage({ token, organization, contact }: MailRecipient): Promise<HttpResponse> {
  const preferencesToken = signContactToken(await dependencies.keyring(), 'preferences', token);
  const page = unsubscribePage({
    state: 'done',
    organizationName: organization.name,
    email: contact.email,
    preferencesUrl: `/preferences?token=${preferencesToken}`,
  });
  return pageResponse(200, page);
}
