import { openSigningIn } from '#shared/access/change-sign-ins';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { openTable } from '#shared/table/table-client';
import { createSignInLink } from './create-sign-in-link.ts';
import { endpoint } from './endpoint.ts';

const signingIn = openSigningIn(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers }) =>
  createdResponse(
    endpoint.answers[201].body.parse(
      await createSignInLink(presentedCredential(headers), signingIn),
    ),
  ),
);
