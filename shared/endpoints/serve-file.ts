import { httpEndpoint, type RenderError } from '#shared/http/http-endpoint';
import type { HttpResponse } from '#shared/http/http-response';
import { openBuiltFile } from './built-file.ts';
import type { Endpoint, Parameters } from './endpoint.ts';
import type { BuiltFileName } from './lambda.ts';
import { readParameters } from './request-parts.ts';

type EndpointOfFile = Endpoint & { readonly lambda: { readonly builtFile: BuiltFileName } };

/** @param render draws an error, as `httpEndpoint` does by default. */
export const serveFile = <const E extends EndpointOfFile, File>(
  endpoint: E,
  parse: (text: string) => File,
  run: (request: Parameters<E>, file: NoInfer<File>) => HttpResponse,
  render?: (file: () => NoInfer<File>) => RenderError,
) => {
  const read = openBuiltFile(endpoint.lambda.builtFile, parse);
  return httpEndpoint(
    async (request) => run(readParameters(endpoint, request), read()),
    render?.(read),
  );
};
