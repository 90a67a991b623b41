import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('none'),
});

function textIn(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
}

function nameOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifestSchema.parse(manifest);
  return `${name} ${version} (${license})`;
}

export function noticeOf(folders: readonly string[]): string {
  const byText = Map.groupBy(folders, textIn);
  const parts = [...byText].map(([text, its]) => `${its.map(nameOf).join('\n')}\n\n${text}`.trim());
  return `This service includes:\n\n${parts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`;
}
