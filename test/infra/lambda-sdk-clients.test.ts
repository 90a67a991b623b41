import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleText, bundleTextAsItComes } from '../bench/bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'sdk-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

const clients = [
  // A call of it, all its schemas, and the most bytes that the descriptions of the one call may take.
  { client: '@aws-sdk/client-sesv2', call: 'SendEmailCommand', schemas: 300, bytes: 6_000 },
  { client: '@aws-sdk/client-sqs', call: 'SendMessageCommand', schemas: 80, bytes: 7_000 },
];

/** A schema's parts are functions, so that one can be in itself: here the part's name. */
const asText = (schemas: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(schemas).map(([name, schema]) => {
    const text = JSON.stringify(schema, (_, part) =>
      typeof part === 'function' ? `the schema ${part()?.[2] ?? part()}` : part,
    );
    return `${name}: ${text}`;
  });

describe.each(clients)('the copy of $client', ({ client, call, schemas, bytes }) => {
  it('describes all calls as the SDK does', async () => {
    const everySchema = `export * from '${client}/dist-es/schemas/schemas_0.js';`;
    const [copy, original] = await Promise.all([
      bundleText(everySchema, join(folder, `${call}-copy.mjs`)),
      bundleTextAsItComes(everySchema, join(folder, `${call}-original.mjs`)),
    ]);

    const [copied, described] = await Promise.all([import(copy.file), import(original.file)]);

    expect(asText(copied).length).toBeGreaterThan(schemas);
    expect(asText(copied)).toEqual(asText(described));
  });

  it('gives a bundle only the call that it makes', async () => {
    const one = `export { ${call} } from '${client}';`;

    const { inputs } = await bundleText(one, join(folder, `${call}.mjs`));

    const [, described] =
      Object.entries(inputs).find(([file]) => file.endsWith('schemas/schemas_0.js')) ?? [];
    expect(described?.bytesInOutput).toBeLessThan(bytes);
  });
});
