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
  // The SDK imports its own package.json for the user agent, which our clients don't send (`lean-client.ts`).
  loader: { '.json': 'empty' },
  // Written beside the bundle: see shared/observability/source-lines.ts.
  sourcemap: true,
  sourcesContent: false,
  // A line per file would bury the rest of `synth`'s output.
  logLevel: 'warning',
} as const satisfies BuildOptions;
