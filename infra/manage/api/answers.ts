import * as z from 'zod/mini';

// What the commands read of the answers, and nothing else, so that this checkout can talk to a slightly newer or older
// deployment. Where the service may add words, such as states and reasons, any text passes.

/** Epoch milliseconds. */
const moment = z.number();
const text = z.string();
const maybe = {
  text: z.optional(text),
  moment: z.optional(moment),
  number: z.optional(z.number()),
};

export const nothing = z.undefined();
export const csv = text;

export const pageOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ data: z.array(row), nextCursor: z.nullable(text) });

export const organization = z.object({
  id: text,
  name: text,
  paused: z.boolean(),
  attachmentsEnabled: z.boolean(),
  linksDisabled: z.optional(z.boolean()),
  identity: z.optional(z.object({ fromEmail: text })),
  createdAt: moment,
});
export type Organization = z.output<typeof organization>;

/** The same with its limits, and what it uses of them. */
export const boundedOrganization = z.extend(organization, {
  limits: z.record(text, z.object({ limit: z.nullable(z.number()), isDefault: z.boolean() })),
  use: z.record(text, z.number()),
});
export type BoundedOrganization = z.output<typeof boundedOrganization>;

/** A key of every scope, with the text that is shown once. */
export const firstKey = z.object({ id: text, key: text });
export const newOrganization = z.object({ organization, apiKey: firstKey });

export const settings = z.object({
  id: text,
  name: text,
  paused: z.boolean(),
  attachmentsEnabled: z.boolean(),
  senderName: maybe.text,
  replyTo: maybe.text,
  noticeEmail: maybe.text,
  noticeEmailState: maybe.text,
  footerText: maybe.text,
  unsubscribePageUrl: maybe.text,
  defaultPolicyKey: maybe.text,
  preferencesByAddress: z.optional(z.boolean()),
  sendRetentionDays: maybe.number,
  keylessReading: z.optional(z.boolean()),
});
export type Settings = z.output<typeof settings>;

export const apiKey = z.object({
  id: text,
  name: text,
  status: text,
  scopes: z.array(text),
  perMinuteCap: maybe.number,
  dailyCap: maybe.number,
  validUntil: maybe.moment,
  lastUsedAt: maybe.moment,
});
export type ApiKey = z.output<typeof apiKey>;
export const newApiKey = z.extend(apiKey, { key: text });

export const consoleLink = z.object({ path: text, expiresAt: moment });

export const policy = z.object({
  key: text,
  kind: text,
  categoryKey: maybe.text,
  builtIn: z.boolean(),
});
export type Policy = z.output<typeof policy>;

export const category = z.object({ key: text, name: text });
export type Category = z.output<typeof category>;

export const auditEntry = z.object({
  at: moment,
  actor: text,
  session: z.optional(text),
  action: text,
  target: text,
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const usage = z.object({
  total: z.object({
    sends: z.number(),
    events: z.object({ bounced: z.number(), complained: z.number() }),
  }),
});

export const webhook = z.object({
  id: text,
  url: text,
  eventTypes: z.array(text),
  disabled: z.optional(z.object({ reason: text })),
  health: z.object({ status: text, failingSince: maybe.moment, outlook: text }),
});
export type Webhook = z.output<typeof webhook>;
/** All of them: they come in no pages. */
export const webhooks = z.object({ data: z.array(webhook) });
export const newWebhook = z.extend(webhook, { secret: text });

export const domainClaim = z.object({
  domain: text,
  organizationId: text,
  isOwner: z.boolean(),
  proof: maybe.text,
  claimedAt: maybe.moment,
  vouchedAt: maybe.moment,
});
export type DomainClaim = z.output<typeof domainClaim>;

const dnsRecord = z.object({
  purpose: text,
  isRequired: z.boolean(),
  type: text,
  name: text,
  relativeName: text,
  value: text,
  state: text,
  seen: z.array(text),
  hint: maybe.text,
});
export type DnsRecord = z.output<typeof dnsRecord>;

export const identity = z.object({
  domain: text,
  fromEmail: text,
  status: text,
  reason: maybe.text,
  sendingAs: z.nullable(z.object({ fromEmail: text })),
  tenant: z.nullable(z.object({ sending: text })),
  dkim: z.object({ status: text }),
  mailFrom: z.object({ domain: text, status: text }),
  records: z.array(dnsRecord),
  zoneFile: text,
  account: z.object({
    region: text,
    problems: z.array(z.object({ code: text, message: text, wayOut: text })),
    productionAccessRequest: maybe.text,
  }),
});
export type Identity = z.output<typeof identity>;

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
