import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { describeService } from './describe-service.ts';
import { routedEndpoints } from './endpoints.ts';
import { nameSchemas } from './name-schemas.ts';
import { referencePage } from './page/reference-page.ts';

// `npm run openapi` prints the description of the service. `npm run openapi -- FILE…` writes it to each file: as the
// reference page where the name ends with .html, else as JSON.

const description = describeService(routedEndpoints);
const files = process.argv.slice(2);
if (files.length === 0) console.log(JSON.stringify(nameSchemas(description), null, 2));
for (const file of files) {
  const isPage = extname(file) === '.html';
  writeFileSync(
    file,
    isPage ? referencePage(description) : JSON.stringify(nameSchemas(description)),
  );
}
