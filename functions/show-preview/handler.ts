import { admitCaller, openAuthentication } from '#shared/access/admit-caller';
import { openRefusalNotes } from '#shared/endpoints/note-refusals';
import { servePage } from '#shared/endpoints/serve-page';
import { statusOf } from '#shared/errors/errors';
import { type RenderError, renderProblem, wantsPage } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { previewResponse } from '#shared/http/page-response';
import { parseForm } from '#shared/http/parse-request';
import { previewErrorPage, previewPage } from '#shared/pages/preview-page';
import { openTemplateStore } from '#shared/templates/template-store';
import { endpoint } from './endpoint.ts';
import { mostDraftBytes, showPreview, typedFields } from './show-preview.ts';

const renderError: RenderError = (error, request) =>
  wantsPage(request)
    ? previewResponse(statusOf(error.code), previewErrorPage(error, request.requestId))
    : renderProblem(error, request);

export const handler = servePage(
  endpoint,
  (table) => {
    const authentication = openAuthentication(table);
    return {
      ...authentication,
      templates: openTemplateStore(table),
      noting: openRefusalNotes(authentication),
    };
  },
  (request, { templates, noting, ...authentication }) =>
    noting(request, async ({ onSecret }) => {
      const caller = await admitCaller(request.credential, { ...authentication, onSecret });
      const draft = parseForm(endpoint.body, typedFields(await request.readFields(mostDraftBytes)));
      const rendered = await showPreview(draft, caller, templates);
      return request.wantsPage
        ? previewResponse(200, previewPage(rendered))
        : jsonResponse(endpoint.answers[200].body.parse(rendered));
    }),
  renderError,
);
