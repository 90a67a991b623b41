import * as z from 'zod';
import { createLocalDns, type LocalDns } from '../dns/records.ts';
import { answerIdentityCall } from './identity-calls.ts';
import { answerSuppressionCall } from './suppression-calls.ts';
import { answerTenantCall, tenantArnOf } from './tenant-calls.ts';

const status = z.enum(['NOT_STARTED', 'PENDING', 'SUCCESS', 'TEMPORARY_FAILURE', 'FAILED']);

const identitySchema = z.object({
  tokens: z.array(z.string()),
  tags: z.array(z.object({ Key: z.string(), Value: z.string() })),
  mailFromDomain: z.string().optional(),
  /** Whether SES emails bounces to the sender: it does until it is told not to. */
  forwarding: z.boolean().default(true),
  /** What SES says in place of what its DNS records say. */
  dkim: status.optional(),
  mailFrom: status.optional(),
  errorType: z.string().optional(),
});

const suppressionReason = z.enum(['BOUNCE', 'COMPLAINT']);
const suppressionList = z
  .record(
    z.string(),
    z.object({
      reason: suppressionReason,
      /** Epoch milliseconds. */
      at: z.int(),
    }),
  )
  .default({});

/** Whose list holds back a tenant's email, and what puts an address there. */
export const tenantSuppressionSchema = z.object({
  scope: z.enum(['ACCOUNT', 'TENANT']),
  reasons: z.array(suppressionReason),
});

const tenantSchema = z.object({
  id: z.string(),
  resources: z.array(z.string()),
  sendingStatus: z.enum(['ENABLED', 'REINSTATED', 'DISABLED']),
  cause: z.string().optional(),
  suppression: tenantSuppressionSchema.default({ scope: 'ACCOUNT', reasons: [] }),
  /** The tenant's own list, by address as it was written. */
  suppressed: suppressionList,
});

const accountSchema = z.object({
  ProductionAccessEnabled: z.boolean(),
  SendingEnabled: z.boolean(),
  EnforcementStatus: z.string(),
});

/** Of the one that the service's emails go through. Deployed, nothing is held back unless told (`sesSuppresses`). */
const configurationSetSchema = z.object({ suppressedReasons: z.array(suppressionReason) });

export const sesStateSchema = z.object({
  account: accountSchema,
  /** The suppression list of the account, by address as it was written. */
  suppressed: suppressionList,
  configurationSet: configurationSetSchema.default({ suppressedReasons: [] }),
  identities: z.record(z.string(), identitySchema),
  tenants: z.record(z.string(), tenantSchema),
});
/** What SES keeps of an account. */
export type SesState = z.output<typeof sesStateSchema>;

export const newSesState = (): SesState => ({
  account: {
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    EnforcementStatus: 'HEALTHY',
  },
  suppressed: {},
  configurationSet: { suppressedReasons: [] },
  identities: {},
  tenants: {},
});

/** What a test or a person may switch; `null` lets DNS decide again. */
const switchesSchema = z.strictObject({
  account: accountSchema.partial().optional(),
  configurationSet: configurationSetSchema.optional(),
  identities: z
    .record(
      z.string(),
      z.strictObject({
        dkim: status.nullable().optional(),
        mailFrom: status.nullable().optional(),
        errorType: z.string().nullable().optional(),
      }),
    )
    .optional(),
  tenants: z
    .record(
      z.string(),
      tenantSchema.pick({ sendingStatus: true, cause: true }).partial({ cause: true }),
    )
    .optional(),
});

/** A call of SES's HTTP API. */
export type SesCall = {
  readonly method: string;
  /** URL-decoded, with its query and without `/v2/email`. */
  readonly path: string;
  readonly body: unknown;
};

export type SesAnswer = {
  readonly status: number;
  readonly error?: string;
  readonly json: unknown;
};

/** SES's management calls, on an account that is kept in memory. */
export type SesAccountSimulation = {
  readonly state: SesState;
  readonly dns: LocalDns;
  /** Answers a call that is about identities, tenants, the suppression list or the account; nothing of any other. */
  answer(call: SesCall): SesAnswer | undefined;
  /** @throws ZodError when these are no switches. */
  turn(switches: unknown): void;
};

/**
 * @param onChange is told of the state whenever it changed.
 * @param onTenantStatus is told of a tenant that SES lets send, or not any more, by its ARN.
 */
export function createSesAccount(
  dns: LocalDns = createLocalDns(),
  state: SesState = newSesState(),
  onChange: (state: SesState) => void = () => {},
  onTenantStatus: (arn: string) => void = () => {},
): SesAccountSimulation {
  return {
    state,
    dns,
    answer: (call) => {
      const answer =
        answerIdentityCall(call, state, dns) ??
        answerTenantCall(call, state) ??
        answerSuppressionCall(call, state);
      if (answer !== undefined) onChange(state);
      return answer;
    },
    turn: (given) => {
      const {
        account,
        configurationSet,
        identities = {},
        tenants = {},
      } = switchesSchema.parse(given);
      Object.assign(state.account, account);
      Object.assign(state.configurationSet, configurationSet);
      for (const [domain, values] of Object.entries(identities)) {
        const identity = state.identities[domain];
        if (identity === undefined) throw new Error(`SES has no identity ${domain}`);
        for (const [name, value] of Object.entries(values)) {
          Object.assign(identity, { [name]: value ?? undefined });
        }
      }
      const told: string[] = [];
      for (const [name, values] of Object.entries(tenants)) {
        const tenant = state.tenants[name];
        if (tenant === undefined) throw new Error(`SES has no tenant ${name}`);
        Object.assign(tenant, values);
        told.push(tenantArnOf(name, tenant.id));
      }
      onChange(state);
      for (const arn of told) onTenantStatus(arn);
    },
  };
}
