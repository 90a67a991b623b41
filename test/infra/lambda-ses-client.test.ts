import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bundleText, bundleTextAsItComes } from '../bench/bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'ses-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

const everySchema = `export * from '@aws-sdk/client-sesv2/dist-es/schemas/schemas_0.js';`;

/** A schema's parts are functions, so that one can be in itself: here the part's name. */
const asText = (schemas: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(schemas).map(([name, schema]) => {
    const text = JSON.stringify(schema, (_, part) =>
      typeof part === 'function' ? `the schema ${part()?.[2] ?? part()}` : part,
    );
    return `${name}: ${text}`;
  });

it("has SES's calls in the bundles as the SDK describes them", async () => {
  const [copy, original] = await Promise.all([
    bundleText(everySchema, join(folder, 'copy.mjs')),
    bundleTextAsItComes(everySchema, join(folder, 'original.mjs')),
  ]);

  const [copied, described] = await Promise.all([import(copy.file), import(original.file)]);

  expect(asText(copied).length).toBeGreaterThan(300);
  expect(asText(copied)).toEqual(asText(described));
});

it('has a call in a bundle only if it is made there', async () => {
  const send = `export { SendEmailCommand } from '@aws-sdk/client-sesv2';`;

  const { inputs } = await bundleText(send, join(folder, 'send.mjs'));

  const [, schemas] =
    Object.entries(inputs).find(([file]) => file.endsWith('schemas/schemas_0.js')) ?? [];
  expect(schemas?.bytesInOutput).toBeLessThan(6_000);
});
