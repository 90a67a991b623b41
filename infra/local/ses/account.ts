import * as z from 'zod';
import { createLocalDns, type LocalDns } from '../dns/records.ts';
import { answerIdentityCall } from './identity-calls.ts';
import {
  accountSchema,
  configurationSetSchema,
  identityStatus,
  newSesState,
  type SesAnswer,
  type SesCall,
  type SesState,
  tenantSchema,
} from './state.ts';
import { answerSuppressionCall } from './suppression-calls.ts';
import { answerTenantCall, tenantArnOf } from './tenant-calls.ts';

/** For tests and people; with `null`, DNS decides again. */
const switchesSchema = z.strictObject({
  account: accountSchema.partial().optional(),
  configurationSet: configurationSetSchema.optional(),
  identities: z
    .record(
      z.string(),
      z.strictObject({
        dkim: identityStatus.nullable().optional(),
        mailFrom: identityStatus.nullable().optional(),
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

/** In memory. */
export type SesAccountSimulation = {
  readonly state: SesState;
  readonly dns: LocalDns;
  answer(call: SesCall): SesAnswer | undefined;
  /** @throws ZodError */
  turn(switches: unknown): void;
};

/**
 * @param onChange gets the state after each change.
 * @param onTenantStatus gets the ARN of a tenant that SES has paused or reinstated.
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
      const changedTenants: string[] = [];
      for (const [name, values] of Object.entries(tenants)) {
        const tenant = state.tenants[name];
        if (tenant === undefined) throw new Error(`SES has no tenant ${name}`);
        Object.assign(tenant, values);
        changedTenants.push(tenantArnOf(name, tenant.id));
      }
      onChange(state);
      for (const arn of changedTenants) onTenantStatus(arn);
    },
  };
}
