import { spawnSync } from 'node:child_process';
import { awsIdentity, functionEnvironment } from '../../infra/local/local-environment.ts';

const script = [
  'const before = process.cpuUsage();',
  'await import(process.argv[1]);',
  'const { user, system } = process.cpuUsage(before);',
  'process.stdout.write(String((user + system) / 1000), () => process.exit());',
].join('\n');

const nowhere = 'http://127.0.0.1:1';

/** As deployed: stack traces that name our lines cost a cold start as well. */
const environment = {
  ...functionEnvironment({
    endpoints: { dynamodb: nowhere, sesv2: nowhere, sqs: nowhere, s3: nowhere },
    secretsUrl: nowhere,
    publicBaseUrl: nowhere,
    providerEventsTopicArn: 'arn:aws:sns:us-east-1:000000000000:events',
    quiet: true,
  }),
  ...awsIdentity({}),
  WEBHOOK_QUEUE_URL: nowhere,
  NODE_OPTIONS: '--enable-source-maps',
};

/**
 * How long a fresh process takes to import a module, in milliseconds of its own CPU time: importing
 * waits for nothing else, and other processes do not change it much.
 */
export function importTimeOf(file: string): number {
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script, '--', file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  const milliseconds = Number(child.stdout || Number.NaN);
  if (Number.isNaN(milliseconds)) throw new Error(`${file} could not be imported`);
  return milliseconds;
}
