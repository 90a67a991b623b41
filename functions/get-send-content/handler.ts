import { openAuthentication } from '#shared/access/authenticate';
import { openAuditStore } from '#shared/audit/audit-store';
import { contentEnvironment, parseEnvironment } from '#shared/config/environment';
import { openContentStore } from '#shared/content/content-store';
import type { EndpointWithProblems } from '#shared/endpoints/endpoint';
import { serverOf } from '#shared/endpoints/serve';
import { statusOf } from '#shared/errors/errors';
import { renderProblem } from '#shared/http/http-endpoint';
import { previewResponse } from '#shared/http/page-response';
import { previewErrorPage } from '#shared/pages/preview-page';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getSendContent } from './get-send-content.ts';

const environment = parseEnvironment(contentEnvironment);
const table = openTable(environment.TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  timelines: openTimelineStore(table),
  contents: openContentStore(environment),
  audit: openAuditStore(table),
};

const servePreview = serverOf<EndpointWithProblems>((error, request) =>
  request.query['as'] === 'page'
    ? previewResponse(statusOf(error.code), previewErrorPage(error, request.requestId))
    : renderProblem(error, request),
);

export const handler = servePreview(endpoint, reading, getSendContent);
