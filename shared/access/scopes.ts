import { ServiceError } from '#shared/errors/service-error';

/** A key with all of these may do everything. */
export const wideScopes = [
  'send_email',
  'read_sends',
  'read_content',
  'preferences_read',
  'preferences_manage',
  'templates_manage',
  'manage_organization',
] as const;

/** Each is a part of what a wide one allows. An endpoint's `access` names both. */
export const narrowScopes = [
  'emails_read',
  'emails_resend',
  'refusals_read',
  'recipients_read',
  'suppressions_manage',
  'contacts_erase',
  'contacts_export',
  'usage_read',
  'settings_read',
  'webhooks_read',
  'webhooks_redeliver',
  'webhooks_manage',
  'domains_read',
  'sending_keys_manage',
] as const;

/** To send an email again or cancel it. */
export const resendingScopes = ['send_email', 'emails_resend'] as const;

export const scopes = [...wideScopes, ...narrowScopes] as const;

export type Scope = (typeof scopes)[number];

export const defaultScopes: readonly Scope[] = ['send_email', 'templates_manage'];

/** All that a test key can do. Any other scope would read or change real data. */
export const testScopes = ['send_email', 'read_sends'] as const satisfies readonly Scope[];

export function hasScope(granted: readonly string[], scope: Scope): boolean {
  return (granted.length === 0 ? defaultScopes : granted).includes(scope);
}

/** Whether such a key only sends: nobody reads or changes more with it than with a key without scopes. */
export const isOfSender = ({
  test,
  scopes: granted,
}: {
  readonly test?: true | undefined;
  readonly scopes: readonly string[];
}): boolean =>
  test === true || granted.every((scope) => defaultScopes.some((one) => one === scope));

type Holder = { readonly scopes: readonly string[]; readonly person?: object | undefined };

export function requireScope(holder: Holder, ...needed: readonly Scope[]): void {
  const [first] = needed;
  if (first === undefined || needed.some((scope) => hasScope(holder.scopes, scope))) return;
  throw missingScope(holder, first);
}

export const missingScope = ({ person }: Pick<Holder, 'person'>, scope: Scope): ServiceError =>
  new ServiceError(
    'missing_scope',
    person === undefined
      ? `This API key lacks the scope ${scope}. Use a key that has it, or add it to this key.`
      : `Your role doesn’t include the scope ${scope}. Ask an admin of your organization for another role.`,
  );
