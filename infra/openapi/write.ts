import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { clientTypes } from './client-types.ts';
import { describeService } from './describe-service.ts';
import { routedEndpoints } from './endpoints.ts';
import { nameSchemas } from './name-schemas.ts';
import { referencePage } from './page/reference-page.ts';

// `npm run openapi` prints the description of the service. `npm run openapi -- FILE…` writes it into each file,
// into one that ends with .html the page, and into one that ends with .ts the types that the console speaks.

const description = describeService(routedEndpoints);
const files = process.argv.slice(2);
if (files.length === 0) console.log(JSON.stringify(nameSchemas(description), null, 2));
for (const file of files) writeFileSync(file, contentOf(extname(file)));

function contentOf(extension: string): string {
  if (extension === '.ts') return clientTypes(description);
  return extension === '.html'
    ? referencePage(description)
    : JSON.stringify(nameSchemas(description));
}
