import type * as z from 'zod/mini';
import { type HttpRequest, httpEndpoint } from '#shared/http/http-endpoint';
import type { HttpResponse } from '#shared/http/http-response';
import type { UnmatchedFunction } from './background-function.ts';
import { openBuiltFile } from './built-file.ts';
import type { Endpoint } from './endpoint.ts';
import type { BuiltFileName } from './lambda.ts';
import { readParameters } from './request-parts.ts';

// Functions that answer from a built file, without the table.

type FromFile = {
  readonly lambda: { readonly builtFile: BuiltFileName };
  readonly file: z.ZodMiniType;
};

export function serveFile(
  endpoint: Endpoint & FromFile & { run(request: object, file: unknown): Promise<HttpResponse> },
) {
  const read = openBuiltFile(endpoint.lambda.builtFile, endpoint.file);
  return httpEndpoint(
    (request) => endpoint.run(readParameters(endpoint, request), read()),
    endpoint.renderErrorFrom?.(read) ?? endpoint.renderError,
  );
}

/** For requests that match no route. */
export function serveUnmatched(
  served: UnmatchedFunction & { run(request: HttpRequest, file: unknown): Promise<HttpResponse> },
) {
  const read = openBuiltFile(served.lambda.builtFile, served.file);
  return httpEndpoint((request) => served.run(request, read()), served.renderError);
}
