import * as z from 'zod/mini';
import { openBuiltFile } from '#shared/endpoints/built-file';
import { httpEndpoint, type RenderError, renderProblem } from '#shared/http/http-endpoint';
import { isPathOf } from '#shared/http/unsupported-routes';
import { renderPostmarkError } from '#shared/postmark/postmark-error';
import { postmarkApi } from '#shared/postmark/unsupported-routes';
import { renderResendError } from '#shared/resend/resend-error';
import { resendApi } from '#shared/resend/unsupported-routes';
import { lambda } from './function.ts';
import { refuseUnknownRoute } from './refuse-unknown-route.ts';

const openPathsSchema = z.array(z.object({ path: z.string(), methods: z.array(z.string()) }));
const openPaths = openBuiltFile(lambda.builtFile, (json) =>
  openPathsSchema.parse(JSON.parse(json)),
);

/** In the format of the API that was probably meant. */
const render: RenderError = (error, request) => {
  if (isPathOf(resendApi, request.path)) return renderResendError(error, request);
  if (isPathOf(postmarkApi, request.path)) return renderPostmarkError(error, request);
  return renderProblem(error, request);
};

export const handler = httpEndpoint(
  async ({ method, path, responseHeaders }) =>
    refuseUnknownRoute({ method, path }, openPaths(), responseHeaders),
  render,
);
