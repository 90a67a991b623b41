import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { httpEndpoint, type RenderError, renderProblem } from '#shared/http/http-endpoint';
import { renderResendError } from '#shared/resend/resend-error';
import { isResendPath } from '#shared/resend/unsupported-routes';
import { refuseUnknownRoute } from './refuse-unknown-route.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const openPathsSchema = z.array(z.object({ path: z.string(), methods: z.array(z.string()) }));
let openPaths: z.output<typeof openPathsSchema> | undefined;

/** As the clients of the API that was probably meant read it. */
const render: RenderError = (error, request) =>
  (isResendPath(request.path) ? renderResendError : renderProblem)(error, request);

export const handler = httpEndpoint(async ({ method, path, responseHeaders }) => {
  openPaths ??= openPathsSchema.parse(
    JSON.parse(readFileSync(join(BUILT_FILES_FOLDER, 'routes.json'), 'utf8')),
  );
  return refuseUnknownRoute({ method, path }, openPaths, responseHeaders);
}, render);
