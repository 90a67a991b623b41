import { admitCaller, openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { servePage, wantsPage } from '#shared/endpoints/serve-page';
import { statusOf } from '#shared/errors/errors';
import { type RenderError, renderProblem } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { previewResponse } from '#shared/http/page-response';
import { parseForm } from '#shared/http/parse-request';
import { previewErrorPage, previewPage } from '#shared/pages/preview-page';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { showPreview, typedFields } from './show-preview.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const authentication = { ...openAuthentication(table) };

const renderError: RenderError = (error, request) =>
  wantsPage(request)
    ? previewResponse(statusOf(error.code), previewErrorPage(error, request.requestId))
    : renderProblem(error, request);

export const handler = servePage(
  endpoint,
  async ({ credential, readFields, wantsPage: showsPage }) => {
    await admitCaller(credential, authentication);
    const draft = parseForm(endpoint.body, typedFields(await readFields()));
    const rendered = await showPreview(draft);
    return showsPage
      ? previewResponse(200, previewPage(rendered))
      : jsonResponse(endpoint.answers[200].body.parse(rendered));
  },
  renderError,
);
