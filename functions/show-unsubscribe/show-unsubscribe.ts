import * as z from 'zod/mini';
import { contactEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { redirectResponse } from '#shared/http/http-response';
import { pageResponse } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import {
  categoryToLeave,
  findTokenHolder,
  preferencesPathOf,
  type TokenHolder,
  unsubscribePathOf,
} from '#shared/send-history/token-holder';
import { contactPartitions } from '#shared/table/keys';
import { readsKeyring } from '#shared/tokens/keyring-reader';

type UnsubscribeView =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'confirm' };

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/unsubscribe',
    access: 'anybody',
    query: z.object({ token: z.optional(z.string()) }),
    answers: {
      200: { body: htmlPage, description: 'The page that asks for confirmation.' },
      302: {
        description: 'A redirect to the organization’s own page, with `?token=…`.',
        headers: ['Location'],
      },
    },
    errors: ['contact_not_found', 'sender_gone'],
    isForPeople: true,
    uses: { keyring: readsKeyring },
    lambda: {
      stack: 'Links',
      environment: contactEnvironment,
      reservation: 'links',
      tableActions: ['GetItem', 'UpdateItem'],
      writesOnlyIn: { UpdateItem: [contactPartitions] },
    },
    words: {
      section: 'Links in emails',
      summary: 'Show the unsubscribe page',
      description:
        'The unsubscribe link of an email leads here. Opening it changes nothing, because link scanners follow links. An organization may use its own page instead.',
      fields: { token: 'The token from the link.' },
      example: { query: { token: 'v1.k1.…' } },
    },
  },
  async ({ query: { token }, linkHost }, reading) => {
    const holder = await findTokenHolder('unsubscribe', token, reading, linkHost);
    const view = showUnsubscribe(holder);
    if (view.kind === 'redirect') return redirectResponse(view.url);

    const page = unsubscribePage({
      state: 'confirm',
      organizationName: holder.organization.name,
      email: holder.contact.email,
      preferencesUrl: preferencesPathOf(holder),
      category: categoryToLeave(holder),
      form: { action: unsubscribePathOf(holder) },
    });
    return pageResponse(200, page);
  },
);

/**
 * An organization's own page, if it has one, gets the token that the person came with. A footer's token also shows and
 * changes the preferences; a header's only unsubscribes. An organization that is paused or has its links disabled gets
 * the service's page.
 */
export function showUnsubscribe({
  organization,
  text,
}: Pick<TokenHolder, 'organization' | 'text'>): UnsubscribeView {
  const { unsubscribePageUrl, paused, linksDisabled } = organization;
  if (unsubscribePageUrl === undefined || paused || linksDisabled) return { kind: 'confirm' };
  const url = new URL(unsubscribePageUrl);
  url.searchParams.set('token', text);
  return { kind: 'redirect', url: url.href };
}
