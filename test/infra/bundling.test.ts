import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  bundling,
  emptied,
  importersOfParts,
  replaced,
  requireKnownParts,
} from '../../infra/constructs/bundling.ts';
import { allDeclarations, writeBundles } from '../../infra/constructs/function-bundles.ts';
import { writeLambdaEntries } from '../../infra/constructs/lambda-entry.ts';
import { withPlainKeys } from '../../infra/constructs/lambda-sdk-clients.ts';

const sorted = (importers: Iterable<string>): string[] => [...importers].sort();

const sourceOf = (module: string): string => readFileSync(join('node_modules', module), 'utf8');

it('a bundle has the same bytes in each deployment, so that no function is updated without a change', () => {
  vi.stubEnv('SHARED_BUNDLES', undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const [one, other] = ['one', 'other'].map(() => {
    const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
    writeBundles([{ name: 'count-usage' }], outdir);
    const fileOf = (file: string) => readFileSync(join(outdir, 'count-usage', file), 'utf8');
    return ['index.mjs', 'index.mjs.map'].map(fileOf);
  });

  expect(one).toEqual(other);
});

describe('what bundles leave out of packages', () => {
  it('is imported only by the named modules', async () => {
    const { entryOf, remove } = writeLambdaEntries(mkdtempSync(join(tmpdir(), 'bundles-')));
    const { metafile } = await build({
      ...bundling,
      entryPoints: allDeclarations.map(({ name }) => entryOf(name)),
      // What they share is written once, which takes a tenth of the time.
      splitting: true,
      sourcemap: false,
      outdir: 'nowhere',
      write: false,
      metafile: true,
    });
    remove();

    const found = [...importersOfParts(metafile.inputs)].map(([part, by]) => [part, sorted(by)]);

    const named = Object.entries({ ...emptied, ...replaced });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(named.map(([part, by]) => [part, sorted(by)])),
    );
  });

  it.each(Object.values(emptied).flat())('is used by %s only for its version', (module) => {
    const uses = sourceOf(module).match(/packageInfo\S*/g);

    expect(uses).toEqual(['packageInfo', 'packageInfo.version']);
  });

  // Read the SDK's new code when one of these fails: the stand-in must have all that it uses, or never run.
  it.each([
    [
      '@smithy/core/dist-es/submodules/protocols/HttpProtocol.js',
      'const { EventStreamSerde, eventStreamSerdeProvider } = await import("@smithy/core/event-streams");',
    ],
    [
      '@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js',
      'import { EndpointCache } from "@aws-sdk/endpoint-cache";',
    ],
    [
      '@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js',
      'endpointCache: new EndpointCache(endpointCacheSize ?? 1000),',
    ],
    [
      '@aws-sdk/client-dynamodb/dist-es/runtimeConfig.js',
      'import { defaultProvider as credentialDefaultProvider } from "@aws-sdk/credential-provider-node";',
    ],
    [
      '@aws-sdk/client-sesv2/dist-es/auth/httpAuthSchemeProvider.js',
      'import { SignatureV4MultiRegion } from "@aws-sdk/signature-v4-multi-region";',
    ],
    [
      '@aws-sdk/client-sesv2/dist-es/runtimeConfig.shared.js',
      'import { SignatureV4MultiRegion } from "@aws-sdk/signature-v4-multi-region";',
    ],
  ])('is used by %s as when its replacement was written: %s', (module, line) => {
    expect(sourceOf(module)).toContain(line);
  });
});

describe('a build', () => {
  const importing = (importer: string, path: string) => ({ [importer]: { imports: [{ path }] } });

  it.each([
    ['a dependency imports JSON of its own', 'node_modules/a/index.js', 'node_modules/a/data.json'],
    ['our own code imports JSON', 'shared/a.ts', 'shared/a.json'],
    [
      'another module imports JSON that one may',
      'node_modules/a/index.js',
      'node_modules/@aws-sdk/client-sqs/package.json',
    ],
    [
      'another module would get a stand-in',
      'node_modules/a/index.js',
      'infra/constructs/lambda-sdk-parts.ts',
    ],
  ])('fails if %s', (_what, importer, path) => {
    expect(() => requireKnownParts(importing(importer, path))).toThrow(
      'then list it in infra/constructs/bundling.ts',
    );
  });

  it("contains what the SDK imports today, even from a client's copy", () => {
    const copy = 'node_modules/.cache/email-service/1a2b/node_modules/@aws-sdk/client-sqs';
    const inputs = importing(`${copy}/dist-es/runtimeConfig.js`, `${copy}/package.json`);

    expect(() => requireKnownParts(inputs)).not.toThrow();
  });
});

describe("an SDK client's copy", () => {
  it("has the SDK's computed keys written out", () => {
    const source = 'const _h = "http";\nconst call = { [_h]: ["POST"] };\n';

    expect(withPlainKeys(source)).toBe('const _h = "http";\nconst call = { "http": ["POST"] };\n');
  });

  it.each([
    ['no key is computed', 'const call = { http: ["POST"] };'],
    ['a constant is no plain text', 'const _h = `http`;\nconst call = { [_h]: ["POST"] };'],
    [
      'a key is computed in another way',
      'const _h = "h";\nconst c = { [_h]: 1 };\nconst d = { [h("a")]: 2 };',
    ],
  ])("isn't made if %s", (_what, source) => {
    expect(() => withPlainKeys(source)).toThrow('The SDK no longer describes its calls the way');
  });
});
