import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { awsIdentity, functionEnvironment } from '../../infra/local/environment.ts';

const script = [
  'const before = process.cpuUsage();',
  'await import(process.argv[1]);',
  'const { user, system } = process.cpuUsage(before);',
  'process.stdout.write(String((user + system) / 1000), () => process.exit());',
].join('\n');

const nowhere = 'http://127.0.0.1:1';

const environment = {
  ...functionEnvironment({
    endpoints: { dynamodb: nowhere, sesv2: nowhere, sqs: nowhere, s3: nowhere },
    secretsUrl: nowhere,
    publicBaseUrl: nowhere,
    providerEventsTopicArn: 'arn:aws:sns:us-east-1:000000000000:events',
    builtFilesFolder: '/nowhere',
    quiet: true,
  }),
  ...awsIdentity({}),
  WEBHOOK_QUEUE_URL: nowhere,
};

const run = promisify(execFile);

/**
 * How long a fresh process takes to import a module, in milliseconds of its own CPU time: importing
 * waits for nothing else, and other processes do not change it much.
 */
export async function importTimeOf(file: string): Promise<number> {
  const { stdout } = await run(
    process.execPath,
    ['--input-type=module', '--eval', script, '--', file],
    { env: { ...process.env, ...environment } },
  );
  return Number.parseFloat(stdout);
}
