import * as z from 'zod/mini';
import { organizationOf } from '#shared/access/admit-caller';
import { footerHtml, footerText } from '#shared/email/email-footer';
import { defineEndpoint, type RequestTo, WithHeaders } from '#shared/endpoints/endpoint';
import { previewHeaders } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import type { Organization } from '#shared/organizations/organization';
import { html } from '#shared/pages/html';
import { preferencesPage } from '#shared/pages/preferences-page';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import { listCategories } from '#shared/preferences/category-store';
import type { Table } from '#shared/table/table-client';

const declaration = defineEndpoint({
  route: 'GET /console/preview/{page}',
  access: { key: 'required', scope: ['settings_read', 'manage_organization'] },
  path: z.object({
    page: z.enum(['footer', 'unsubscribe', 'unsubscribed', 'preferences']),
  }),
  unmatchedPath: 'endpoint_not_found',
  query: z.strictObject({ of: z.optional(z.string()) }),
  answers: { 200: { body: htmlPage, description: 'The page.' } },
  lambda: { stack: 'Console', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Console',
    summary: 'Show a page as recipients see it',
    description:
      'Made from the stored settings, for a made-up recipient. The console shows it in a frame without scripts or working forms.',
    fields: {
      page: '`footer`: the end of bulk emails. `unsubscribe` and `unsubscribed`: the page that asks, and the one after it. `preferences`: the preference page.',
      of: 'The version of the settings, so the frame reloads after a change. It has no other effect.',
    },
    example: { path: { page: 'preferences' } },
  },
});

export const endpoint = defineEndpoint(
  declaration,
  async (request, { table }) =>
    new WithHeaders(await showPagePreview(table, request), previewHeaders),
);

/** The pages mask addresses anyway. */
const email = 'ann@example.com';

/** A preview submits no form and follows no link. */
const form = { action: '#' };

/** What the organization's recipients get, from the stored settings. */
export async function showPagePreview(
  table: Table,
  { caller, path: { page } }: Pick<RequestTo<typeof declaration>, 'caller' | 'path'>,
): Promise<string> {
  const organization = await organizationOf(table, caller);
  const recipient = { organizationName: organization.name, email, preferencesUrl: '#' };
  switch (page) {
    case 'footer':
      return footerPage(organization);
    case 'unsubscribe':
      return unsubscribePage({ ...recipient, state: 'confirm', form });
    case 'unsubscribed':
      return unsubscribePage({ ...recipient, state: 'done' });
    case 'preferences': {
      const all = await listCategories(table, organization.id);
      const preferences = {
        contact: { id: 'preview', email },
        categories: all,
        subscriptions: all.map(({ key }) => ({ categoryKey: key, subscribed: true })),
      };
      const { organizationName } = recipient;
      return preferencesPage({
        organizationName,
        preferences,
        unsubscribedFromAll: false,
        saved: false,
        form,
      });
    }
  }
}

/** Each email has its own links. */
const footerLinks = {
  unsubscribe: 'https://…/api/unsubscribe?token=…',
  preferences: 'https://…/preferences?token=…',
};

/** As HTML and as text, black on white like an email. */
const footerPage = (organization: Organization): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Footer of bulk emails</title>
<style>
body { margin: 0; padding: 1rem; background: #fff; color: #16191d; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2 { margin: 0 0 .5rem; font-size: .875rem; color: #565e69; }
h2 { margin-top: 2rem; }
pre { margin: 0; white-space: pre-wrap; font: .875rem/1.5 ui-monospace, monospace; }
</style>
</head>
<body>
<h1>HTML emails end with</h1>
<div>… your last line.</div>
${footerHtml(organization, { unsubscribe: '#', preferences: '#' })}
${
  html`<h2>Plain text ends with</h2>
<pre>… your last line.${footerText(organization, footerLinks)}</pre>`.text
}
</body>
</html>
`;
