import * as z from 'zod/mini';
import { pageOf } from './answers.ts';

// What the commands read of the answers about sends and addresses. See answers.ts.

/** Epoch milliseconds. */
const moment = z.number();
const text = z.string();
const maybe = { text: z.optional(text), number: z.optional(z.number()) };

const send = z.object({
  _id: text,
  status: text,
  failureReason: maybe.text,
  fromEmail: text,
  toEmail: text,
  cc: z.optional(z.array(text)),
  bcc: z.optional(z.array(text)),
  suppressedRecipients: z.optional(z.array(z.object({ email: text, reason: text }))),
  subject: text,
  policyKey: maybe.text,
  templateId: maybe.text,
  missingVariables: z.optional(z.array(text)),
  idempotencyKey: maybe.text,
  attempts: z.optional(z.array(z.object({ attempt: z.number(), at: moment, reason: text }))),
  createdAt: moment,
});
export type Send = z.output<typeof send>;

export const sends = z.extend(pageOf(send), {
  /** Every match after this moment was seen; `null` at the end. */
  lookedUntil: z.nullable(moment),
});

const event = z.object({
  type: text,
  ts: moment,
  providerMessageId: maybe.text,
  reason: maybe.text,
  recipients: z.optional(z.array(z.object({ email: text, diagnostic: maybe.text }))),
  url: maybe.text,
  hits: maybe.number,
  machine: z.optional(z.boolean()),
});

export const timeline = z.object({
  send,
  events: z.array(event),
  webhooks: z.array(
    z.object({
      endpointId: text,
      type: text,
      status: text,
      attempts: z.number(),
      lastStatusCode: maybe.number,
    }),
  ),
});
export type Timeline = z.output<typeof timeline>;

export const suppression = z.object({
  /** `null` once the person is erased. */
  email: z.nullable(text),
  reason: text,
  at: moment,
  diagnostic: maybe.text,
  /** Of a complaint that one of several recipients made. */
  possible: z.optional(z.boolean()),
});
export type Suppression = z.output<typeof suppression>;

export const lift = z.object({
  lifted: z.array(text),
  remaining: z.array(text),
  providerList: text,
});
export type Lift = z.output<typeof lift>;

export const liftOfMany = z.object({
  matched: z.number(),
  lifted: z.number(),
  removedFromProviderList: z.number(),
  examples: z.array(suppression),
  nextCursor: z.nullable(text),
});

export const suppressionImport = z.object({
  imported: z.number(),
  unchanged: z.number(),
  refused: z.array(z.object({ line: z.number(), message: text })),
  isComplete: z.boolean(),
});

export const recipient = z.object({
  email: text,
  /** In words; empty if nothing keeps email from the address. */
  obstacles: z.array(text),
  organization: z.object({
    paused: z.boolean(),
    /** Absent in the answer of an older deployment. */
    pausedBySes: z.optional(z.boolean()),
    identity: text,
  }),
  contact: z.nullable(
    z.object({
      createdAt: moment,
      subscriptions: z.array(z.object({ categoryKey: text, subscribed: z.boolean() })),
    }),
  ),
  suppressions: z.array(suppression),
  providerList: z.object({ state: text, reason: maybe.text, at: z.optional(moment) }),
  emails: z.array(
    z.object({ sendId: text, subject: text, status: text, outcome: text, createdAt: moment }),
  ),
});
export type Recipient = z.output<typeof recipient>;
