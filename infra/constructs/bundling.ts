import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { copyClient } from './lambda-sdk-clients.ts';

export const bundling = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  alias: {
    '@aws-sdk/client-sesv2': copyClient('@aws-sdk/client-sesv2'),
    '@aws-sdk/client-sqs': copyClient('@aws-sdk/client-sqs'),
    '@aws-sdk/endpoint-cache': join(import.meta.dirname, 'lambda-sdk-parts.ts'),
    '@smithy/core/event-streams': join(import.meta.dirname, 'lambda-sdk-parts.ts'),
    '@aws-sdk/signature-v4-multi-region': join(import.meta.dirname, 'lambda-signature.ts'),
    '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts'),
    'node:http': join(import.meta.dirname, 'lambda-node-http.ts'),
  },
  // esbuild can only empty files by extension: `requireKnownParts` rejects any JSON that `emptied` doesn't list.
  loader: { '.json': 'empty' },
  // Written beside the bundle: see shared/observability/source-lines.ts.
  sourcemap: true,
  sourcesContent: false,
  // A line per file would bury the rest of `synth`'s output.
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** From esbuild's metafile: the modules of a bundle, and what each imports. */
type Inputs = Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>>;

type Importers = Readonly<Record<string, readonly string[]>>;

/** The SDK imports these for the user agent, which our clients don't send (`lean-client.ts`). */
export const emptied: Importers = {
  '@aws-sdk/client-dynamodb/package.json': ['@aws-sdk/client-dynamodb/dist-es/runtimeConfig.js'],
  '@aws-sdk/client-sesv2/package.json': ['@aws-sdk/client-sesv2/dist-es/runtimeConfig.js'],
  '@aws-sdk/client-sqs/package.json': ['@aws-sdk/client-sqs/dist-es/runtimeConfig.js'],
};

/** Packages that get one of our stand-ins. `test/infra/bundling.test.ts` has the names they import. */
export const replaced: Importers = {
  'infra/constructs/lambda-credentials.ts': [
    '@aws-sdk/client-dynamodb/dist-es/runtimeConfig.js',
    '@aws-sdk/client-sesv2/dist-es/runtimeConfig.js',
    '@aws-sdk/client-sqs/dist-es/runtimeConfig.js',
  ],
  'infra/constructs/lambda-node-http.ts': [
    '@middy/util/index.js',
    '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js',
    '@smithy/node-http-handler/dist-es/node-http-handler.js',
  ],
  'infra/constructs/lambda-sdk-parts.ts': [
    '@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js',
    '@smithy/core/dist-es/submodules/protocols/HttpProtocol.js',
  ],
  'infra/constructs/lambda-signature.ts': [
    '@aws-sdk/client-sesv2/dist-es/auth/httpAuthSchemeProvider.js',
    '@aws-sdk/client-sesv2/dist-es/runtimeConfig.shared.js',
  ],
};

/**
 * Fails the build if any other module would get an emptied file or a stand-in: they were written for these versions of
 * the SDK modules above.
 */
export function requireKnownParts(inputs: Inputs): void {
  const known = { ...emptied, ...replaced };
  for (const [part, importers] of importersOfParts(inputs)) {
    const strange = [...importers].filter((importer) => !known[part]?.includes(importer));
    if (strange.length === 0) continue;
    throw new Error(
      `${strange.join(', ')} imports ${part}, which the bundles ${part.endsWith('.json') ? 'empty' : 'replace with a stand-in'}. Check that it works with that, then list it in infra/constructs/bundling.ts.`,
    );
  }
}

/** The modules that import the emptied and replaced files. Our own modules know the stand-ins. */
export function importersOfParts(inputs: Inputs): ReadonlyMap<string, ReadonlySet<string>> {
  const parts = new Map<string, Set<string>>();
  for (const [importer, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) {
      const isOurs = !importer.includes(packages);
      if (!(path.endsWith('.json') || (!isOurs && Object.hasOwn(replaced, path)))) continue;
      const part = inPackages(path);
      parts.set(part, (parts.get(part) ?? new Set()).add(inPackages(importer)));
    }
  }
  return parts;
}

const packages = 'node_modules/';

/** Copies of a client have their own folder: `lambda-sdk-clients.ts`. */
const inPackages = (path: string): string => path.slice(afterLast(path));
const afterLast = (path: string): number =>
  path.includes(packages) ? path.lastIndexOf(packages) + packages.length : 0;
