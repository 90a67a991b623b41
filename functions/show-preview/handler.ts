import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { statusOf } from '#shared/errors/errors';
import { presentedCredential } from '#shared/http/credential';
import type { RenderError } from '#shared/http/http-endpoint';
import { renderProblem } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { pageEndpoint, wantsPage } from '#shared/http/page-endpoint';
import { parseForm } from '#shared/http/parse-request';
import { previewResponse } from '#shared/http/preview-response';
import { previewErrorPage, previewPage } from '#shared/pages/preview-page';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { showPreview, typedFields } from './show-preview.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const authentication = { now: Date.now, apiKeys: openApiKeyStore(table) };

const renderError: RenderError = (error, request) =>
  wantsPage(request)
    ? previewResponse(statusOf(error.code), previewErrorPage(error, request.requestId))
    : renderProblem(error, request);

export const handler = pageEndpoint(async ({ headers, readFields, wantsPage: showsPage }) => {
  const rendered = await showPreview(
    presentedCredential(headers),
    async () => parseForm(endpoint.body, typedFields(await readFields())),
    authentication,
  );
  return showsPage
    ? previewResponse(200, previewPage(rendered))
    : jsonResponse(endpoint.answers[200].body.parse(rendered));
}, renderError);
