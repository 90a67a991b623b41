import { ServiceError } from '#shared/errors/service-error';

/** What an API key may be restricted to. */
export const scopes = [
  'send_email',
  'read_sends',
  'preferences_read',
  'preferences_manage',
  'templates_manage',
  'manage_organization',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of a key that lists none. */
const defaultScopes: readonly Scope[] = ['send_email', 'templates_manage'];

/** Whether a key that lists `granted` may do what needs `scope`. */
export function hasScope(granted: readonly Scope[], scope: Scope): boolean {
  return (granted.length === 0 ? defaultScopes : granted).includes(scope);
}

/**
 * Refuses a key that has none of these scopes. Where none is needed, every key will do.
 *
 * @throws ServiceError `missing_scope`
 */
export function requireScope(
  { scopes: granted }: { readonly scopes: readonly Scope[] },
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
