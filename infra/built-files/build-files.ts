import { buildConsole } from '../console/build-console.ts';
import { describeService } from '../openapi/describe-service.ts';
import { loadEndpoints } from '../openapi/endpoints.ts';
import { nameSchemas } from '../openapi/name-schemas.ts';
import { referencePage } from '../openapi/page/reference-page.ts';

export const builtFileNames = ['openapi.json', 'docs.html', 'console.json'] as const;
export type BuiltFileName = (typeof builtFileNames)[number];

/** Makes what one of three functions serves: the description of the service, its page, or the console. */
export async function buildFile(name: BuiltFileName): Promise<string> {
  if (name === 'console.json') return buildConsole();
  const document = describeService(await loadEndpoints());
  return name === 'openapi.json' ? JSON.stringify(nameSchemas(document)) : referencePage(document);
}
