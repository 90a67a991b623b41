import type { Authentication } from '#shared/access/admit-caller';
import { openAuditStore } from '#shared/audit/audit-store';
import type { EndpointWithProblems } from '#shared/endpoints/endpoint';
import { byKey, type OfKeys, serverOf } from '#shared/endpoints/serve';
import { statusOf } from '#shared/errors/errors';
import { renderProblem } from '#shared/http/http-endpoint';
import { previewResponse } from '#shared/http/page-response';
import { previewErrorPage } from '#shared/pages/preview-page';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openContentStore } from '#shared/stored-content/content-store';
import { endpoint } from './endpoint.ts';
import { getSendContent } from './get-send-content.ts';

const servePreview = serverOf<EndpointWithProblems & OfKeys, Authentication>(
  byKey(),
  (error, request) =>
    request.query['as'] === 'page'
      ? previewResponse(statusOf(error.code), previewErrorPage(error, request.requestId))
      : renderProblem(error, request),
);

export const handler = servePreview(
  endpoint,
  (table, environment) => ({
    timelines: openTimelineStore(table),
    contents: openContentStore(environment),
    audit: openAuditStore(table),
  }),
  getSendContent,
);
