import * as z from 'zod';

export const identityStatus = z.enum([
  'NOT_STARTED',
  'PENDING',
  'SUCCESS',
  'TEMPORARY_FAILURE',
  'FAILED',
]);

const identitySchema = z.object({
  tokens: z.array(z.string()),
  tags: z.array(z.object({ Key: z.string(), Value: z.string() })),
  mailFromDomain: z.string().optional(),
  forwarding: z.boolean().default(true),
  /** Overrides what the DNS records say. */
  dkim: identityStatus.optional(),
  mailFrom: identityStatus.optional(),
  errorType: z.string().optional(),
});

export const suppressionReason = z.enum(['BOUNCE', 'COMPLAINT']);
const suppressionList = z
  .record(
    z.string(),
    z.object({
      reason: suppressionReason,
      at: z.int(),
    }),
  )
  .default({});

/** Holds back a tenant's email to addresses listed for these reasons. */
const tenantSuppressionSchema = z.object({
  scope: z.enum(['ACCOUNT', 'TENANT']),
  reasons: z.array(suppressionReason),
});

export const tenantSchema = z.object({
  id: z.string(),
  resources: z.array(z.string()),
  sendingStatus: z.enum(['ENABLED', 'REINSTATED', 'DISABLED']),
  cause: z.string().optional(),
  suppression: tenantSuppressionSchema.default({ scope: 'ACCOUNT', reasons: [] }),
  /** The tenant's own list, by address as written. */
  suppressed: suppressionList,
});

export const accountSchema = z.object({
  ProductionAccessEnabled: z.boolean(),
  SendingEnabled: z.boolean(),
  EnforcementStatus: z.string(),
  SendQuota: z
    .object({ MaxSendRate: z.number(), Max24HourSend: z.number().default(50_000) })
    .default({ MaxSendRate: 200, Max24HourSend: 50_000 }),
});

/** For the service's emails. Deployed, it holds nothing back by default (`sesSuppresses`). */
export const configurationSetSchema = z.object({ suppressedReasons: z.array(suppressionReason) });

export const sesStateSchema = z.object({
  account: accountSchema,
  /** The account's list, by address as written. */
  suppressed: suppressionList,
  configurationSet: configurationSetSchema.default({ suppressedReasons: [] }),
  identities: z.record(z.string(), identitySchema),
  tenants: z.record(z.string(), tenantSchema),
});
export type SesState = z.output<typeof sesStateSchema>;

export const newSesState = (): SesState =>
  sesStateSchema.parse({
    account: {
      ProductionAccessEnabled: true,
      SendingEnabled: true,
      EnforcementStatus: 'HEALTHY',
    },
    identities: {},
    tenants: {},
  });

export type SesCall = {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

export type SesAnswer = {
  readonly status: number;
  readonly error?: string;
  readonly json: unknown;
};

export const done: SesAnswer = { status: 200, json: {} };

export const refusal = (status: number, error: string, message: string): SesAnswer => ({
  status,
  error,
  json: { message },
});

export const notFound = (message: string): SesAnswer => refusal(404, 'NotFoundException', message);
