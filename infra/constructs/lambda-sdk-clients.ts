import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishFolder } from './shared-folder.ts';

const modules = join(import.meta.dirname, '../../node_modules');
const schemasFile = 'dist-es/schemas/schemas_0.js';

/**
 * Copies an SDK client so that each bundle has only the calls that it makes. The SDK describes its calls in objects
 * with computed keys (`{ [_h]: ["POST", …] }`). esbuild keeps these, as computing a key might have side effects: 45 KB
 * for SES's 116 calls, 3 KB for SQS's. In the copy, the keys are written out.
 *
 * @returns the copy's folder. Its path ends like the package's.
 */
export function copyClient(client: `@aws-sdk/client-${string}`): string {
  const original = join(modules, client);
  const manifest = readFileSync(join(original, 'package.json'), 'utf8');
  const made = hash('sha256', manifest + withPlainKeys.toString()).slice(0, 16);
  const cache = join(modules, '.cache/email-service');
  const folder = join(cache, made);
  const copy = join(folder, 'node_modules', client);
  if (existsSync(folder)) return copy;

  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  const draftCopy = join(draft, 'node_modules', client);
  cpSync(join(original, 'dist-es'), join(draftCopy, 'dist-es'), { recursive: true });
  writeFileSync(join(draftCopy, 'package.json'), manifest);
  const schemas = readFileSync(join(original, schemasFile), 'utf8');
  writeFileSync(join(draftCopy, schemasFile), withPlainKeys(schemas));
  publishFolder(draft, folder);
  return copy;
}

/**
 * `{ [_h]: 1 }` becomes `{ "http": 1 }`.
 *
 * @throws Error if the source isn't written as described: the copy would be of no use, or wrong.
 */
export function withPlainKeys(source: string): string {
  const texts = new Map(
    [...source.matchAll(/^const (\w+) = ("[^"\\]*");$/gm)].map(
      ([, name = '', text = '']) => [name, text] as const,
    ),
  );
  const plain = source.replace(/\[(_\w+)\]:/g, (key, name: string) => {
    const text = texts.get(name);
    return text === undefined ? key : `${text}:`;
  });
  const [left] = /^.*\]:.*$/m.exec(plain) ?? [];
  if (plain === source || left !== undefined) {
    throw new Error(
      `The SDK no longer describes its calls the way that infra/constructs/lambda-sdk-clients.ts rewrites them: ${left?.trim() ?? 'no key is computed from a constant'}`,
    );
  }
  return plain;
}
