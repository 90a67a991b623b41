import * as z from 'zod/mini';
import { tokenEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageResponse } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import { findConfirmation } from '#shared/notices/find-confirmation';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { noticeConfirmationPage } from '#shared/pages/notice-confirmation-page';
import type { Table } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';

export const endpoint = defineEndpoint(
  {
    route: 'GET /notices/confirmation',
    access: 'anybody',
    query: z.object({ token: z.optional(z.string()) }),
    answers: { 200: { body: htmlPage, description: 'The page.' } },
    errors: ['link_not_found'],
    isForPeople: true,
    uses: (table: Table, environment: z.infer<typeof tokenEnvironment>) => ({
      now: Date.now,
      keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
      organizations: openOrganizationStore(table),
    }),
    lambda: {
      stack: 'Links',
      environment: tokenEnvironment,
      reservation: 'links',
      tableActions: ['GetItem'],
      readsSecrets: ['tokenSigningKey'],
    },
    words: {
      section: 'Links in emails',
      summary: 'Show the page that confirms a notice address',
      description:
        'The link mailed to a new `noticeEmail` leads here. Opening it changes nothing, because mail scanners follow links: the button on the page confirms.',
      fields: { token: 'The token from the link.' },
      example: { query: { token: 'v1.k1.…' } },
    },
  },
  async ({ query: { token } }, confirming) => {
    const { organization } = await findConfirmation(token, confirming);
    const { name, noticeEmail = '' } = organization;
    const form = { action: `/notices/confirmation?token=${token}` };
    const page = noticeConfirmationPage({ organizationName: name, noticeEmail, form });
    return pageResponse(200, page);
  },
);
