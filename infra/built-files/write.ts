import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { buildFiles } from './build-files.ts';

// `node infra/built-files/write.ts FILE…` writes each file, which its name decides.

const files = await buildFiles();
const nameSchema = z.enum(['openapi.json', 'docs.html', 'console.json']);
for (const path of process.argv.slice(2)) {
  writeFileSync(path, files[nameSchema.parse(basename(path))]);
}
