import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createHandlerLoader, resultOf } from '../../infra/local/gateway/functions.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { buildHttpEvent } from '../support/http-event-builder.ts';
import { serveParent } from './child.ts';
import { drive, drivingSchema } from './rounds.ts';
import { sampleEmail } from './sends.ts';

const settingsSchema = z.object({ env: z.record(z.string(), z.string()) });
const sentSchema = z.object({ statusCode: z.literal(200) });

/** Invokes the send function as Lambda does. It logs and counts as in production, to nowhere. */
serveParent(async (settings) => {
  const { env } = settingsSchema.parse(settings);
  const { description } = await startLocalStack({ providerEvents: false, env });
  const load = createHandlerLoader();
  const body = JSON.stringify(sampleEmail);
  const send = async () => {
    const headers = {
      authorization: `Bearer ${description.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    sentSchema.parse(await resultOf(load, 'send-email', buildHttpEvent({ headers, body })));
  };
  return { ready: {}, run: (job) => drive(drivingSchema.parse(job), send) };
});
