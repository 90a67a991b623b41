import { describeService } from './describe-service.ts';
import { loadEndpoints } from './endpoints.ts';
import { referencePage } from './page/reference-page.ts';

export type BuiltFiles = { readonly 'openapi.json': string; readonly 'docs.html': string };

/** Makes what two functions serve: the description of the service, and its page. */
export async function buildFiles(): Promise<BuiltFiles> {
  const document = describeService(await loadEndpoints());
  return { 'openapi.json': JSON.stringify(document), 'docs.html': referencePage(document) };
}
