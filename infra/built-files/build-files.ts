import { buildConsole } from '../console/build-console.ts';
import { describeService } from '../openapi/describe-service.ts';
import { loadEndpoints } from '../openapi/endpoints.ts';
import { referencePage } from '../openapi/page/reference-page.ts';

export type BuiltFiles = Readonly<Record<'openapi.json' | 'docs.html' | 'console.json', string>>;

/** Makes what three functions serve: the description of the service, its page, and the console. */
export async function buildFiles(): Promise<BuiltFiles> {
  const document = describeService(await loadEndpoints());
  return {
    'openapi.json': JSON.stringify(document),
    'docs.html': referencePage(document),
    'console.json': await buildConsole(),
  };
}
