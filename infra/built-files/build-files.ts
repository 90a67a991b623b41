import { compressFile } from '#shared/endpoints/built-file';
import type { BuiltFileName } from '#shared/endpoints/lambda';
import { openPaths } from '../../functions/routes.ts';
import { buildDocs, llmsText } from '../docs/build-docs.ts';
import { describeService } from '../openapi/describe-service.ts';
import { routedEndpoints } from '../openapi/endpoints.ts';
import { nameSchemas } from '../openapi/name-schemas.ts';
import type { OpenApiDocument } from '../openapi/openapi-types.ts';
import { buildConsole } from './build-console.ts';

/** Three files are made of it. */
let document: OpenApiDocument | undefined;

export async function buildFile(name: BuiltFileName): Promise<string> {
  if (name === 'console.json') return buildConsole();
  if (name === 'routes.json') return JSON.stringify(openPaths);
  document ??= describeService(routedEndpoints);
  if (name === 'docs.json') return buildDocs(document);
  const text = name === 'llms.txt' ? llmsText(document) : JSON.stringify(nameSchemas(document));
  return JSON.stringify(compressFile(text));
}
