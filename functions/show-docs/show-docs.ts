import * as z from 'zod/mini';
import {
  type BuiltFileHeaders,
  builtFileHeadersSchema,
  builtFileResponse,
  builtFileSchema,
} from '#shared/endpoints/built-file';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { type HttpRequest, renderProblem, wantsPage } from '#shared/http/http-endpoint';
import type { HttpResponse } from '#shared/http/http-response';
import { htmlPage, markdownFile, searchIndexFile } from '#shared/http/response-body';

const pathSchema = z.object({ page: z.optional(z.string()) });
type DocsRequest = {
  readonly path: z.output<typeof pathSchema>;
  readonly headers: BuiltFileHeaders;
};

/** Built together with the function. */
export const docsFilesSchema = z.object({
  styleHash: z.string(),
  scriptHash: z.string(),
  noPage: z.string(),
  /** By what follows `/docs/`; the first page's name is empty. */
  files: z.record(
    z.string(),
    z.extend(builtFileSchema, { type: z.enum(['page', 'markdown', 'index']) }),
  ),
});
export type DocsFiles = Readonly<z.infer<typeof docsFilesSchema>>;

export const endpoint = defineEndpoint(
  {
    route: ['GET /docs', 'GET /docs/{page+}'],
    access: 'anybody',
    path: pathSchema,
    unmatchedPath: 'endpoint_not_found',
    headers: builtFileHeadersSchema,
    answers: {
      200: {
        body: z.union([htmlPage, markdownFile, searchIndexFile]),
        description: 'The page.',
        example: [],
        headers: ['ETag'],
      },
      304: { description: 'You have the current version.', headers: ['ETag'] },
    },
    errors: ['encoding_not_acceptable'],
    file: docsFilesSchema,
    renderErrorFrom: renderNoPage,
    lambda: { stack: 'Reference', tableActions: [], builtFile: 'docs.json' },
    words: {
      section: 'Reference',
      summary: 'Show the documents',
      description:
        'Guides, tasks and the reference as pages for people. With `.md` after its path, a page is Markdown; the first one is `/docs/index.md`. `/docs/search.json` is what the pages search.',
      fields: { page: 'The page.', title: 'A heading.', address: 'Where it is.' },
      example: { path: { page: 'verify-webhooks.md' } },
    },
  },
  async (request, docs) => showDocs(request, docs),
);

export function showDocs(
  { path: { page: name = '' }, headers }: DocsRequest,
  { files, ...assets }: DocsFiles,
): HttpResponse {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) {
    throw new ServiceError('endpoint_not_found', 'There is no such page. See /docs for all pages.');
  }
  return builtFileResponse(file, headers, {
    ...always,
    'Content-Type': contentTypes[file.type],
    ...(file.type === 'page' && { 'Content-Security-Policy': policyOf(assets) }),
  });
}

/** Browsers get a page instead of a problem. */
export function renderNoPage(readDocs: () => DocsFiles) {
  return (
    error: ServiceError,
    request: Pick<HttpRequest, 'headers' | 'requestId'>,
  ): HttpResponse => {
    if (error.code !== 'endpoint_not_found' || !wantsPage(request)) {
      return renderProblem(error, request);
    }
    const docs = readDocs();
    return {
      statusCode: 404,
      headers: {
        ...always,
        'Content-Type': contentTypes.page,
        'Content-Security-Policy': policyOf(docs),
      },
      body: docs.noPage,
    };
  };
}

const contentTypes = {
  page: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  index: 'application/json',
} as const;

const always = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

// The page's own style and script, and the search index. Text never becomes markup or script (Trusted Types).
const policyOf = ({ styleHash, scriptHash }: Pick<DocsFiles, 'styleHash' | 'scriptHash'>): string =>
  [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    "connect-src 'self'",
    // The page's empty icon, which keeps browsers from asking for /favicon.ico.
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
