import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { buildFiles } from './built-files.ts';
import { clientTypes } from './client-types.ts';
import { describeService } from './describe-service.ts';
import { loadEndpoints } from './endpoints.ts';

// `npm run openapi` prints the description of the service. `npm run openapi -- FILE…` writes it into each file,
// into one that ends with .html the page, into console.json the console, and into one that ends with .ts the types
// that the console speaks.

const { 'openapi.json': description, 'docs.html': page, 'console.json': app } = await buildFiles();
const files = process.argv.slice(2);
if (files.length === 0) console.log(JSON.stringify(JSON.parse(description), null, 2));
for (const file of files) writeFileSync(file, await contentOf(file));

async function contentOf(file: string): Promise<string> {
  if (file.endsWith('.ts')) return clientTypes(describeService(await loadEndpoints()));
  if (basename(file) === 'console.json') return app;
  return file.endsWith('.html') ? page : description;
}
