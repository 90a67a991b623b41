import * as z from 'zod';
import { startLocalStack } from '../../infra/local/stack.ts';
import { serveParent } from './child.ts';

const settingsSchema = z.object({
  env: z.record(z.string(), z.string()),
  laterSends: z.optional(z.boolean()),
});

/** The twin as it logs and counts in production; only SES's events, which cost calls, are off. */
serveParent(async (settings) => {
  const { env, laterSends = false } = settingsSchema.parse(settings);
  const { description } = await startLocalStack({ providerEvents: false, laterSends, env });
  return { ready: description };
});
