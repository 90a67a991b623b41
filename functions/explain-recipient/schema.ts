import * as z from 'zod/mini';
import { eventSchema } from '#shared/events/event';
import { identityStatuses } from '#shared/identity/identity';
import { subscriptionSchema } from '#shared/preferences/preferences';
import { sendStatuses } from '#shared/sending/send';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { contactIdSchema, sendIdSchema } from '#shared/tokens/resource-id';

/** Path of GET /api/v1/recipients/{email}. */
export const pathSchema = z.object({ email: z.string() });

/** Query of GET /api/v1/recipients/{email}. */
export const querySchema = z.strictObject({
  /** How many of the latest emails. */
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(20)), 10),
});
export type ExplainRecipientQuery = z.output<typeof querySchema>;

/** Response 200, also of an address that nobody knows: then all of it is empty. */
export const responseSchema = z.object({
  email: z.string(),
  contactId: contactIdSchema,
  /** What keeps email from the address now, in words; empty if nothing does. */
  obstacles: z.array(z.string()),
  organization: z.object({
    paused: z.boolean(),
    /** As a tenant of SES. */
    pausedBySes: z.boolean(),
    identity: z.enum([...identityStatuses, 'none']),
  }),
  /** Whether the organization knows the address, and since when. */
  contact: z.nullable(z.object({ createdAt: z.int(), subscriptions: z.array(subscriptionSchema) })),
  suppressions: z.array(suppressionViewSchema),
  /** SES's own list. `not_shown`: no email of the organization put the address there. `unknown`: SES could not be asked. */
  providerList: z.object({
    state: z.enum(['listed', 'not_listed', 'not_shown', 'unknown']),
    reason: z.optional(z.enum(['bounce', 'complaint'])),
    at: z.optional(z.int()),
  }),
  /** The latest emails whose `to` is the address, newest first, and what became of each. */
  emails: z.array(
    z.object({
      sendId: sendIdSchema,
      subject: z.string(),
      status: z.enum(sendStatuses),
      outcome: z.string(),
      createdAt: z.int(),
      events: z.array(eventSchema),
    }),
  ),
});
