import { SQSClient } from '@aws-sdk/client-sqs';
import { onTestFinished, vi } from 'vitest';
import { awsIdentity } from '../../infra/local/environment.ts';
import { startQueues } from '../../infra/local/queues/queues.ts';

/** The twin's SQS and S3, for as long as the test runs. */
export async function openSqs() {
  for (const [name, value] of Object.entries(awsIdentity({}))) vi.stubEnv(name, value);
  const { url, stop } = await startQueues();
  onTestFinished(stop);
  const client = new SQSClient({ endpoint: url });
  onTestFinished(() => client.destroy());
  return { url, client };
}
