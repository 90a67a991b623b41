import * as z from 'zod/mini';
import { identityStatuses } from '#shared/identity/identity';
import { accountViewSchema } from '#shared/identity/identity-view';
import { tenantStateSchema } from '#shared/organizations/organization';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { healthViewSchema } from '#shared/webhooks/health-view';
import { webhookSchema } from '#shared/webhooks/webhook';
import { setupStepNames } from './setup.ts';

/** Response 200 of GET /api/v1/overview. Moments in epoch milliseconds. */
export const responseSchema = z.object({
  organization: z.object({
    paused: z.boolean(),
    /** Of the organization as a tenant of SES, where it is one. */
    tenant: z.nullable(tenantStateSchema),
  }),
  identity: z.nullable(
    z.object({
      domain: z.string(),
      status: z.enum(identityStatuses),
      reason: z.optional(z.string()),
    }),
  ),
  /** `null` when SES could not be asked. */
  account: z.nullable(accountViewSchema),
  setup: z.object({
    isFinished: z.boolean(),
    steps: z.array(
      z.object({
        name: z.enum(setupStepNames),
        isDone: z.nullable(z.boolean()),
        isOptional: z.boolean(),
      }),
    ),
  }),
  /** Of the sends since this moment: a day ago, or later when one request cannot look at as many. */
  sends: z.object({ since: z.int(), looked: z.int(), inDoubt: z.int(), failed: z.int() }),
  webhooks: z.array(
    z.object({
      id: webhookIdSchema,
      url: z.string(),
      health: healthViewSchema,
      disabled: webhookSchema.shape.disabled,
      isSlow: z.boolean(),
    }),
  ),
});
