import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';

/** From which address an organization sends, or what keeps it from sending. */
export type SenderVerdict =
  | { readonly ok: true; readonly fromEmail: string }
  /** With the code `tenant_paused` or `no_active_identity`. */
  | { readonly ok: false; readonly error: ServiceError };

/** @param usesTenants whether each organization is an SES tenant: otherwise SES pauses none. */
export function judgeSender(
  { paused, tenant, identity }: Organization,
  { usesTenants }: { readonly usesTenants: boolean },
): SenderVerdict {
  if (paused) {
    return refused(
      'tenant_paused',
      'The operator of this service has paused sending for your organization. Ask the operator why, and to lift the pause.',
    );
  }
  if (usesTenants && tenant?.sending === 'paused') {
    const reason = tenant.reason === undefined ? '' : ` Its reason: ${tenant.reason}`;
    return refused(
      'tenant_paused',
      `Amazon SES has paused sending for your organization.${reason} Mend the cause, then ask the operator of this service, who can answer SES.`,
    );
  }
  if (identity?.status !== 'active') {
    return refused(
      'no_active_identity',
      'The organization has no active From identity. Verify its domain first.',
    );
  }
  return { ok: true, fromEmail: identity.fromEmail };
}

const refused = (code: 'tenant_paused' | 'no_active_identity', detail: string): SenderVerdict => ({
  ok: false,
  error: new ServiceError(code, detail),
});
