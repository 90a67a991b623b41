import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { builtFileNames } from '#shared/endpoints/lambda';
import { buildFile } from './build-files.ts';

// Usage: `node infra/built-files/write.ts FILE…`

const nameSchema = z.enum(builtFileNames);
for (const path of process.argv.slice(2)) {
  writeFileSync(path, await buildFile(nameSchema.parse(basename(path))));
}
