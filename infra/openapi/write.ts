import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { buildFiles } from './built-files.ts';

// `npm run openapi` prints the description of the service. `npm run openapi -- FILE…` writes it into each file,
// into one that ends with .html the page, and into console.json the console.

const { 'openapi.json': description, 'docs.html': page, 'console.json': app } = await buildFiles();
const files = process.argv.slice(2);
if (files.length === 0) console.log(JSON.stringify(JSON.parse(description), null, 2));
for (const file of files) writeFileSync(file, contentOf(file));

function contentOf(file: string): string {
  if (basename(file) === 'console.json') return app;
  return file.endsWith('.html') ? page : description;
}
