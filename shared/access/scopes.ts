import { ServiceError } from '#shared/errors/service-error';

export const scopes = [
  'send_email',
  'read_sends',
  'read_content',
  'preferences_read',
  'preferences_manage',
  'templates_manage',
  'manage_organization',
] as const;

export type Scope = (typeof scopes)[number];

const defaultScopes: readonly Scope[] = ['send_email', 'templates_manage'];

/** All that a test key can do. Any other scope would read or change real data. */
export const testScopes = ['send_email', 'read_sends'] as const satisfies readonly Scope[];

export function hasScope(granted: readonly string[], scope: Scope): boolean {
  return (granted.length === 0 ? defaultScopes : granted).includes(scope);
}

export function requireScope(
  { scopes: granted }: { readonly scopes: readonly string[] },
  ...needed: readonly Scope[]
): void {
  const [first] = needed;
  if (first === undefined || needed.some((scope) => hasScope(granted, scope))) return;
  throw missingScope(first);
}

export const missingScope = (scope: Scope): ServiceError =>
  new ServiceError(
    'missing_scope',
    `This API key lacks the scope ${scope}. Use a key that has it, or add it to this key.`,
  );
