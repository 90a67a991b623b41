import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { builtFileEnvironment } from '#shared/config/built-file-environment';
import { parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { refuseUnknownRoute } from './refuse-unknown-route.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const openPaths = z
  .array(z.object({ path: z.string(), methods: z.array(z.string()) }))
  .parse(JSON.parse(readFileSync(join(BUILT_FILES_FOLDER, 'routes.json'), 'utf8')));

export const handler = bodilessEndpoint(async ({ method, path, responseHeaders }) =>
  refuseUnknownRoute({ method, path }, openPaths, responseHeaders),
);
