import { writeFileSync } from 'node:fs';
import { buildFiles } from './built-files.ts';

// `npm run openapi` prints the description of the service. `npm run openapi -- FILE…` writes it into each file,
// and into one that ends with .html the page.

const { 'openapi.json': description, 'docs.html': page } = await buildFiles();
const files = process.argv.slice(2);
if (files.length === 0) console.log(JSON.stringify(JSON.parse(description), null, 2));
for (const file of files) writeFileSync(file, file.endsWith('.html') ? page : description);
