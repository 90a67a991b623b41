import { join } from 'node:path';
import { copySesClient } from './lambda-ses-client.ts';

/** How a function becomes the one file that is deployed, in esbuild's words. */
export const bundling = {
  format: 'esm',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  alias: {
    '@aws-sdk/client-sesv2': copySesClient(),
    '@aws-sdk/endpoint-cache': join(import.meta.dirname, 'lambda-sdk-parts.ts'),
    '@smithy/core/event-streams': join(import.meta.dirname, 'lambda-sdk-parts.ts'),
    '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts'),
    'node:http': join(import.meta.dirname, 'lambda-node-http.ts'),
  },
  // The SDK imports its own package.json for the user agent, which our clients do not send (`lean-client.ts`).
  loader: { '.json': 'empty' },
  // Lies beside the bundle: see shared/observability/source-lines.ts.
  sourcemap: true,
  sourcesContent: false,
  // A line for each file would bury what else `synth` says.
  logLevel: 'warning',
} as const;
