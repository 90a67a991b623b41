import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { type StackDescription, startLocalStack } from '../../infra/local/stack.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { answerInstead } from '../support/faults.ts';
import type { Database } from '../support/own-database.ts';
import { sesMessageId } from '../support/ses-event-builder.ts';
import { startTableMeter, type TableMeter } from './table-meter.ts';

export type MeteredStack = {
  readonly description: StackDescription;
  readonly meter: TableMeter;
  stop(): Promise<void>;
};

type MeteredOptions = {
  /** Gets the name of each function that the twin invokes. */
  readonly onInvocation?: (functionName: string) => void;
  /** Unless it is quiet, the functions log. */
  readonly quiet?: boolean;
  /** Default: that of a DynamoDB Local of its own. */
  readonly database?: Pick<Database, 'url' | 'environment'>;
};

/** The twin in this process, its table metered, in front of an SES whose message ids are of SES's length. */
export async function startMeteredStack({
  quiet = true,
  database,
  onInvocation,
}: MeteredOptions = {}): Promise<MeteredStack> {
  const dynamodb = database ?? (await startDatabase());
  const meter = await startTableMeter(dynamodb.url);
  const ses = await startAcceptingSes();
  const stack = await startLocalStack({
    quiet,
    providerEvents: false,
    ...(onInvocation && { onInvocation }),
    env: {
      ...dynamodb.environment,
      AWS_ENDPOINT_URL_DYNAMODB: meter.url,
      AWS_ENDPOINT_URL_SESV2: ses.url,
    },
  });
  return {
    description: stack.description,
    meter,
    stop: async () => {
      for (const part of [stack, ses, meter]) await part.stop();
      if ('stop' in dynamodb) await dynamodb.stop();
    },
  };
}

async function startDatabase() {
  const { url, stop } = launchDynamodb();
  return { url: await url, environment: {}, stop };
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
