import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { serveFile } from '#shared/endpoints/serve-file';
import { ServiceError } from '#shared/errors/service-error';
import { captureOutput } from '../../support/captured-output.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';

it('an endpoint with a built file renders errors as it declares', async () => {
  captureOutput();
  const folder = mkdtempSync(join(tmpdir(), 'built-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'docs.json'), '{}');
  vi.stubEnv('BUILT_FILES_FOLDER', folder);
  const endpoint = defineEndpoint(
    {
      route: 'GET /docs',
      access: 'anybody',
      answers: { 200: { description: 'The page.' } },
      file: z.unknown(),
      renderError: ({ code }) => ({ statusCode: 404, headers: {}, body: `No page: ${code}` }),
      lambda: { tableActions: [], builtFile: 'docs.json' },
      words: { section: 'Reference', summary: 'Show', description: 'Shows.' },
    },
    async () => {
      throw new ServiceError('endpoint_not_found');
    },
  );
  const handler = serveFile(endpoint);

  const answer = await handler(buildHttpEvent({ routeKey: 'GET /docs' }), lambdaContext());

  expect(answer).toMatchObject({ statusCode: 404, body: 'No page: endpoint_not_found' });
});
