import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { type StackDescription, startLocalStack } from '../../infra/local/stack.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { answerInstead } from '../support/faults.ts';
import { sesMessageId } from '../support/ses-event-builder.ts';
import { startTableMeter, type TableMeter } from './table-meter.ts';

export type MeteredStack = {
  readonly description: StackDescription;
  readonly meter: TableMeter;
  stop(): Promise<void>;
};

/**
 * The twin in this process, its table metered, in front of an SES whose message ids are of SES's length.
 * Unless it is quiet, the functions log.
 */
export async function startMeteredStack({ quiet = true } = {}): Promise<MeteredStack> {
  const dynamodb = launchDynamodb();
  const meter = await startTableMeter(await dynamodb.url);
  const ses = await startAcceptingSes();
  const stack = await startLocalStack({
    quiet,
    providerEvents: false,
    env: { AWS_ENDPOINT_URL_DYNAMODB: meter.url, AWS_ENDPOINT_URL_SESV2: ses.url },
  });
  return {
    description: stack.description,
    meter,
    stop: async () => {
      for (const part of [stack, ses, meter, dynamodb]) await part.stop();
    },
  };
}

async function startAcceptingSes() {
  const ses = await startFaultProxy({ target: 'http://127.0.0.1:1' });
  const accept = answerInstead(() => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ MessageId: sesMessageId(Date.now()) }),
  }));
  ses.inject({ operation: 'SendEmail', times: Number.POSITIVE_INFINITY, action: accept });
  return ses;
}
